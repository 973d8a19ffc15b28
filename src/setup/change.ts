import { lstatSync, rmSync, statSync } from "node:fs";
import { DossierError } from "../errors.ts";
import { changeTextFile, readText } from "../workspace/config-file.ts";
import { isEmptied } from "./json-config.ts";

/** A change of one file: computing it, showing it as a difference, and writing it. */

export type ConfigChange = {
  file: string;
  /** `unchanged`: it says so already. `deleted`: nothing is left in it. */
  what: "created" | "changed" | "deleted" | "unchanged";
  /** The difference in lines, as diff shows it. */
  lines: string;
};

/** The new text of a file, from the old one; throws for a file with a fault. */
export type Editing = (text: string | undefined) => string;

/** `disposable`: a file that holds nothing afterwards is deleted. */
export function changeFile(file: string, edit: Editing, { write, disposable = false }: ChangeOptions): ConfigChange {
  const before = readText(file);
  const after = edit(before);
  if (after === (before ?? "")) return { file, what: "unchanged", lines: "" };
  refuseUnwritable(file);
  const isGone = disposable && (isEmptied(after) || after === "") && !lstatSync(file).isSymbolicLink();
  const lines = difference(before ?? "", isGone ? "" : after);
  const what = isGone ? "deleted" : before === undefined ? "created" : "changed";
  if (write && isGone) rmSync(file);
  else if (write) changeTextFile(file, edit);
  return { file, what, lines };
}

type ChangeOptions = { write: boolean; disposable?: boolean };

/** Writing a new file could replace a write-protected one, against the purpose of the protection. */
function refuseUnwritable(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return;
  const target = statSync(file, { throwIfNoEntry: false });
  if (!target) throw new DossierError("not-readable", `${file} is a link that leads nowhere.`);
  if ((target.mode & 0o222) === 0) throw new DossierError("not-readable", `${file} may not be written.`);
}

/** The difference of a file in lines, as `diff` shows it: one hunk, since we change one thing. */

const around = 3;

function difference(before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  return [
    ...old.slice(Math.max(0, start - around), start).map((line) => `  ${line}`),
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`),
    ...old.slice(old.length - end, old.length - end + around).map((line) => `  ${line}`),
  ].join("\n");
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
