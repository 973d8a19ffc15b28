import { oneLine } from "../../../text/one-line.ts";
import { attribute, firstLine, inlineMarkdown } from "../tana/html.ts";
import { afterWhatItNeeds, dateIn, inserted } from "../tana/names.ts";
import type { Tif } from "./nodes.ts";

/** Names of nodes, with links replaced by names. */
export type TifNames = {
  lines(index: number): { name: string; rest: string };
  description(index: number): string;
  /** Uids that the name and the description link to; a date as the node of that day, if there is one. */
  links(index: number): string[];
  /** The target of a name that is only a link. */
  onlyLink(index: number): number | undefined;
};

/** `[alias]([[uid]])`, `[[date:2022-03-10 20:30[Europe/Oslo]]]`, `[[uid]]`. */
const link = /\[([^[\]]*)\]\(\[\[([^[\]]+)\]\]\)|\[\[date:([^[\]]+)(?:\[[^[\]]*\])?\]\]|\[\[([^[\]]+)\]\]/g;

/** Code is left unchanged. */
const code = /(```[\s\S]*?```|`[^`]*`)/;

export function resolveTifNames(tif: Tif): TifNames {
  const days = daysOf(tif);
  const markdown = afterWhatItNeeds(
    (index: number) => linksIn(tif.nodes[index]!.name).flatMap((uid) => tif.byUid.get(uid) ?? []),
    (index) => rendered(index, tif.nodes[index]!.name),
  );

  function rendered(index: number, text: string): string {
    if (tif.nodes[index]!.type === "date") return isoDate(text);
    return outsideCode(text, (piece) =>
      withSpansAsLinks(piece).replace(link, (_, alias?: string, aliased?: string, date?: string, uid?: string) => {
        if (date !== undefined) return isoDate(date.trim());
        if (alias?.trim()) return alias;
        const key = uid ?? aliased!;
        const target = tif.byUid.get(key);
        return target === undefined ? key : inserted(oneLine(markdown(target) ?? ""));
      }),
    );
  }

  /** Linked uids, with dates as the nodes of their days. */
  function linksIn(text: string): string[] {
    const targets: string[] = [];
    if (!text.includes("[[") && !text.includes("data-inlineref-")) return targets;
    outsideCode(text, (piece) => {
      for (const [, , aliased, date, uid] of withSpansAsLinks(piece).matchAll(link)) {
        const target = date === undefined ? (uid ?? aliased!) : days.get(isoDate(date.trim()).slice(0, 10));
        if (target !== undefined) targets.push(target);
      }
      return "";
    });
    return targets;
  }

  function links(index: number): string[] {
    const { name, description, type } = tif.nodes[index]!;
    return type === "codeblock" ? [] : [...linksIn(name), ...linksIn(description)];
  }

  function onlyLink(index: number): number | undefined {
    const uid = /^\s*\[\[([^[\]]+)\]\]\s*$/.exec(tif.nodes[index]!.name)?.[1];
    if (uid === undefined) return undefined;
    return tif.byUid.get(uid.startsWith("date:") ? (days.get(isoDate(uid.slice("date:".length))) ?? "") : uid);
  }

  return {
    lines: (index) => firstLine(markdown(index) ?? ""),
    description: (index) => rendered(index, tif.nodes[index]!.description).trim(),
    links,
    onlyLink,
  };
}

function outsideCode(text: string, change: (piece: string) => string): string {
  const pieces = text.split(code);
  return pieces.map((piece, at) => (at % 2 === 1 ? piece : change(piece))).join("");
}

/** Some converters write references in Tana's own HTML. */
function withSpansAsLinks(html: string): string {
  return inlineMarkdown(html, (inside, inner) => {
    const date = dateIn(inside);
    if (date !== undefined) return `[[date:${date}]]`;
    const uid = attribute(inside, "data-inlineref-node");
    return uid ? `[${inlineMarkdown(inner)}]([[${uid}]])` : inlineMarkdown(inner);
  });
}

/** This format writes dates month first; they are read as ISO 8601. */
function isoDate(text: string): string {
  return text.trim().replace(/^(\d\d)-(\d\d)-(\d{4})(?=\D|$)/, "$3-$1-$2");
}

/** Uids of day nodes, by date. */
function daysOf(tif: Tif): Map<string, string> {
  const days = new Map<string, string>();
  for (const { type, name, key } of tif.nodes) {
    const date = isoDate(name);
    if (type === "date" && !days.has(date)) days.set(date, key);
  }
  return days;
}
