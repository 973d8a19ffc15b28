import type { Header } from "../document.ts";
import type { formatNames } from "../options.ts";
import { type Format, formats, type MakeFormat, type PrintedEntry, type WalkStep } from "./format.ts";
import { contextDocument } from "./json/graph-document.ts";
import { isPlainNote, noteKey } from "./notes.ts";

/** Notes made by hand, and documents of them as the layout makes them, for tests. */

export const about: Header = {
  query: "SOC Defender project",
  workspace: "main",
  lens: "planning",
  backend: "sqlite",
  assembledAt: "2026-02-22T18:30:00.000Z",
};

const common = {
  source: "note",
  style: "heading",
  kind: "note",
  path: "",
  startLine: 1,
  endLine: 1,
  level: "full",
  notes: [],
  related: [],
} satisfies Partial<PrintedEntry>;

const defender: WalkStep = { id: "abc123", name: "SOC Defender" };
const milestones: WalkStep = { id: "mil777", name: "Milestones", relation: "child" };

export const project: PrintedEntry = {
  ...common,
  citation: "[not-1k3f]",
  name: "SOC Defender",
  score: 0.91666,
  distance: 0,
  way: [],
  notes: ["the 100 best of 623 children were followed"],
  facts: {
    id: "abc123",
    origin: "tana",
    tags: ["project", "security"],
    fields: { Status: ["active"], Owner: ["Ada", "Grace"] },
    breadcrumb: ["Work", "Projects"],
  },
  text: [
    "SOC Defender",
    "Security operations *dashboard*, see [[Architecture]].",
    "",
    "- alerts from `siem`",
    "- triage",
    "",
    "```sh",
    "# start it",
    "soc up",
    "```",
  ].join("\n"),
};

export const beta: PrintedEntry = {
  ...common,
  citation: "[not-8p2c]",
  name: "Beta",
  score: 0.71,
  distance: 2,
  way: [defender, milestones],
  level: "elided",
  rest: "see full at not-8p2cq08zr4c2m",
  facts: {
    id: "bet001",
    origin: "vault",
    relation: "child",
    tags: ["milestone"],
    fields: { Due: ["2026-03-31"] },
    place: "pages/beta.md:12",
    done: false,
  },
  text: "Beta\n## Scope\n> everything that [mem-1k3f] asks for",
};

export const ship: PrintedEntry = {
  ...common,
  citation: "[not-9xk2]",
  name: "Ship **it** with `soc release`",
  score: 0.52,
  distance: 2,
  way: [defender, milestones],
  facts: { id: "shp002", origin: "tana", relation: "child", done: true },
  text: "Ship **it** with `soc release`",
};

export const ada: PrintedEntry = {
  ...common,
  citation: "[not-0a1b]",
  name: "Ada asked for a pager",
  score: 0.4,
  distance: 1,
  way: [defender],
  facts: { id: "ada003", origin: "tana", relation: "reference" },
  text: "Ada asked for a pager",
};

export const tool: PrintedEntry = {
  ...common,
  citation: "[not-55zz]",
  name: "Related security tool",
  score: 0.23,
  distance: 1,
  way: [defender],
  level: "pointer",
  facts: { id: "xyz789", origin: "tana", relation: "field", tags: ["tool"] },
  text: "",
};

export const notes = [project, ada, beta, ship, tool];

/** A document about a notes graph. Notes that are only named come last. */
export function outlineParts(make: MakeFormat, entries: readonly PrintedEntry[], header = about): string[] {
  const format = make(
    entries.map(({ text }) => text),
    undefined,
    true,
  );
  const pointerCount = entries.filter(({ level }) => level === "pointer").length;
  const printedCount = entries.length - pointerCount;
  const parts = [
    format.header!(header, { budget: 4000, used: 3842, included: printedCount, summarised: pointerCount }),
    format.opening,
    ...blocks(format, entries.slice(0, printedCount)),
    format.pointersOpening?.(pointerCount) ?? "",
    ...blocks(format, entries.slice(printedCount)),
    format.itemsClosing,
    format.footerOpening,
    format.leftOut([{ reason: "over-budget", count: 3 }]),
    format.closing,
  ];
  return parts.filter((part) => part !== "");
}

/** The place of a one-line note is printed unless the note above led to it or has the same place. */
function blocks(format: Format, entries: readonly PrintedEntry[]): string[] {
  let standsAt: string | undefined;
  return entries.flatMap((entry, index) => {
    const above = entry.way?.at(-1)?.id;
    const moved = isPlainNote(entry) && above !== standsAt;
    standsAt = isPlainNote(entry) ? above : noteKey(entry);
    return [moved ? (format.place?.(entry.way ?? []) ?? "") : "", format.head(entry, index === 0), format.body(entry)];
  });
}

/** Formats that print a document about a notes graph; JSON has a separate format for it. */
export const outlineFormats = {
  markdown: formats.markdown,
  xml: formats.xml,
  plain: formats.plain,
  "context document": contextDocument,
};

/** Notes among other records. */
export function mixedParts(name: (typeof formatNames)[number], entries: readonly PrintedEntry[]): string[] {
  const format = formats[name](
    entries.map(({ text }) => text),
    "Context",
  );
  const heads = entries.flatMap((entry, index) => [format.head(entry, index === 0), format.body(entry)]);
  const parts = [format.opening, format.title("Context"), format.groupOpening("Notes", true), ...heads];
  return [...parts, format.groupClosing, format.itemsClosing, format.closing].filter((part) => part !== "");
}
