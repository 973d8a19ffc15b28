import type { z } from "zod";
import { paint } from "../terminal/colours.ts";
import { grouped, plain } from "../terminal/phrases.ts";
import type { notesOutput } from "./notes.ts";

type Output = z.output<typeof notesOutput>;

const columns = ["notes", "tagged", "values", "references", "dangling"] as const;

/** A table of the origins; below each row its place and its problems. */
export function notesText({ origins, tags, config }: Output, colour: boolean): string {
  const p = paint(colour);
  if (origins.length === 0) {
    return [
      "No notes are connected to this workspace.",
      `Connect a Tana export, supertag-cli's index or a folder of Markdown notes: ${p.bold("dossier notes connect <file or folder>")}`,
      `A folder with .obsidian/ or logseq/ is read by itself. Origins are kept in ${config}.`,
    ].join("\n");
  }
  const rows = [
    ["origin", "kind", ...columns, "read"],
    ...origins.map((origin) => [
      plain(origin.name),
      origin.kind ?? (origin.live && origin.from === undefined ? "live" : "?"),
      ...columns.map((column) => grouped(origin[column])),
      origin.read ? `${origin.read.slice(0, 16).replace("T", " ")} UTC` : "not yet",
    ]),
  ];
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const isNumber = (at: number) => at >= 2 && at < 2 + columns.length;
  const [heading, ...body] = rows.map((row) =>
    row
      .map((cell, at) => (isNumber(at) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join("  ")
      .trimEnd(),
  );
  const lines = [p.bold(heading!)];
  for (const [at, origin] of origins.entries()) {
    lines.push(body[at]!);
    for (const remark of remarks(origin)) lines.push(`  ${p.dim(remark)}`);
    for (const warning of origin.warnings) lines.push(`  ${p.yellow(plain(warning))}`);
  }
  if (tags.length > 0) {
    const used = tags.map(({ name, notes }) => `#${plain(name)} ${grouped(notes)}`);
    lines.push("", `${p.bold("tags")}  ${used.join(", ")}`);
  }
  if (origins.some(({ read, from }) => read === undefined && from !== undefined)) {
    lines.push("", "What was not read yet is read by the next question about notes.");
  }
  return lines.join("\n");
}

function remarks({ state, place, live }: Output["origins"][number]): string[] {
  const parts: string[] = [];
  if (place !== undefined) parts.push(plain(state === "found" ? `${place} (the workspace itself is a vault)` : place));
  if (live) {
    const token = live.hasToken ? "" : `; ${live.tokenVariable} is not set`;
    parts.push(plain(`live at ${live.url}${live.workspace ? `, workspace ${live.workspace}` : ""}${token}`));
  }
  if (state === "leaving") parts.push("disconnected; gone with the next question");
  return parts;
}
