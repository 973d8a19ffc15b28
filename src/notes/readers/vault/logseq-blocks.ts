import { type BodyLine, checkboxOf } from "./draft.ts";
import { addField } from "./fields.ts";
import type { PageContext } from "./parts.ts";
import { type StatedProperties, sayProperty } from "./properties.ts";
import { zone } from "./zones.ts";

const marker = /^(TODO|DOING|DONE|LATER|NOW|WAITING|WAIT|CANCELED|CANCELLED|STARTED|IN-PROGRESS)[ \t]+/;
const priority = /^\[#(\S)\](?:[ \t]+|$)/u;
const hashes = /^#{1,6}(?:[ \t]+|$)/;
const planned = /^[ \t]*(SCHEDULED|DEADLINE):[ \t]+<(\d{4}-\d{2}-\d{2})[^<>]{0,60}>[ \t]*$/i;
const drawer = /^[ \t]*:([A-Za-z][\w-]{0,40}):[ \t]*$/;

/** What stands before the text of a block: how large it is shown, the state of a task and its priority, or a checkbox. */
export function readBlockHead(head: string, said: StatedProperties): { text: string; done?: boolean } {
  let text = head.replace(hashes, "");
  const state = marker.exec(text)?.[1];
  text = text.replace(marker, "");
  const rank = priority.exec(text)?.[1];
  if (rank) addField(said.fields, "priority", { values: [{ text: rank }], type: "options" });
  text = text.replace(priority, "").trim();
  if (state === undefined) return checkboxOf(text) ?? { text };
  // Of a task that is neither begun nor done `done` says it all.
  if (state !== "TODO" && state !== "DONE") {
    addField(said.fields, "status", { values: [{ text: state }], type: "options" });
  }
  return { text, done: /^(?:DONE|CANCEL)/.test(state) };
}

/** Takes out what Logseq keeps in lines of their own: dates of a task, how long was worked on it, properties in the way of Org. */
export function withoutDrawers(body: readonly BodyLine[], page: PageContext, said: StatedProperties): BodyLine[] {
  const kept: BodyLine[] = [];
  const endAfter = drawerEnds(body);
  for (let at = 0; at < body.length; at++) {
    const { line, text } = body[at]!;
    const open = page.zones.of[line] === zone.open;
    const name = open ? drawer.exec(text)?.[1]?.toUpperCase() : undefined;
    const end = name === "LOGBOOK" || name === "PROPERTIES" ? endAfter(at) : undefined;
    const date = open ? planned.exec(text) : null;
    if (end !== undefined) {
      if (name === "PROPERTIES") sayDrawer(body.slice(at + 1, end), page, said);
      at = end;
    } else if (date) {
      addField(said.fields, date[1]!.toLowerCase(), { values: [{ text: date[2]! }], type: "date" });
    } else {
      kept.push(body[at]!);
    }
  }
  return kept;
}

/** The next `:END:` from a line on; lines must be asked in order. */
function drawerEnds(body: readonly BodyLine[]): (at: number) => number | undefined {
  let end = -1;
  return (at) => {
    while (end <= at && end < body.length) {
      end++;
      while (end < body.length && !/^[ \t]*:END:[ \t]*$/i.test(body[end]!.text)) end++;
    }
    return end < body.length ? end : undefined;
  };
}

function sayDrawer(body: readonly BodyLine[], page: PageContext, said: StatedProperties): void {
  for (const { text } of body) {
    const match = /^[ \t]*:([^\s:]{1,100}):(?:[ \t]+(.*))?$/.exec(text);
    if (match?.[2]) sayProperty(said, match[1]!, match[2], page.here, page.settings);
  }
}
