import { type Item, sourceTraits } from "../../item.ts";
import { receiverBefore } from "../../sources/code/receivers.ts";
import { stringsSaying, withoutLiterals } from "../../sources/code/same-code.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type OpenedFile, openFile } from "../open-file.ts";
import { isValue } from "./callers.ts";

/** Most files that are read for the uses of one name: those that contain its words most often. */
const mostFiles = 40;
/** A shorter name is written in too many places with another meaning. */
const shortestName = 3;

/** A place in a file where the name is written, and the unit around it. */
export type WrittenUse = { path: string; line: number; unit: string; isTest: boolean };

/** Only a compound name in quotes is surely the name of something. */
const compoundName = /[\p{L}\p{N}][_-][\p{L}\p{N}]|\p{Ll}\p{Lu}/u;

/**
 * Where code writes the name of a constant or field, one place for each unit. The index has no links for these: nearly
 * every line would be one. A name that others have too counts in its own file, and after its owner or a variable of
 * that type. A setting may be read by its name in quotes alone: `settings.getint("MAX_ROOMS")`.
 */
export async function writtenUses(item: Item, workspace: Workspace): Promise<WrittenUse[]> {
  if (item.name.length < shortestName) return [];
  const { store, owner } = workspace;
  const terms = [...new Set(analyse(item.name))].map((term) => ({ term, weight: 1 }));
  const [files, named, [parent]] = await Promise.all([
    store.searchText(owner, { scope: "file", terms, limit: mostFiles }),
    store.searchNames(owner, { text: item.name, mode: "exact", limit: mostFiles }),
    item.parent === undefined ? [] : store.items(owner, [item.parent]),
  ]);
  const isCode = new Map(
    files.filter(({ item: { source } }) => sourceTraits[source].lines === "code").map(({ item }) => [item.path, item]),
  );
  const paths = [...new Set([item.path, ...isCode.keys()])];
  const outlines = await store.outlines(owner, paths);
  const isOther = ({ item: other }: { item: Item }) => other.parent !== item.parent || other.path !== item.path;
  const sameName = named.filter(
    (each) => sourceTraits[each.item.source].lines === "code" && each.item.name === item.name && isOther(each),
  );
  const target: Target = {
    item,
    owner: parent && noOwner.has(parent.kind) ? undefined : parent,
    isShared: sameName.some((each) => isValue(each.item)),
    isCalledToo: sameName.some((each) => !isValue(each.item) && each.item.kind !== "block"),
  };
  const read: { path: string; file: OpenedFile; isTest: boolean }[] = [];
  for (const path of paths) {
    const file = await openFile(path, outlines.get(path), workspace);
    const isTest = isCode.get(path)?.test ?? (path === item.path && item.test === true);
    if (file.onDisk && file.text.includes(item.name)) read.push({ path, file, isTest });
  }
  const inCode = read.flatMap(({ path, file, isTest }) =>
    usesIn(file, path, target).map((use) => ({ path, ...use, isTest })),
  );
  if (inCode.some(({ isTest }) => !isTest) || target.isShared || !compoundName.test(item.name)) return inCode;
  // Beside the definition, a name in quotes is part of a list of exports.
  const others = read.filter(({ path }) => path !== item.path);
  const quoted = others.flatMap(({ path, file, isTest }) =>
    quotesIn(file, path, target).map((use) => ({ path, ...use, isTest })),
  );
  return [...inCode, ...quoted];
}

/** What a value stands in without being a member of it: `var ( … )` is a block. */
const noOwner = new Set<Item["kind"]>(["file", "module", "block"]);

/** `isShared`: other values have the name. `isCalledToo`: a function has it. */
type Target = { item: Item; owner: Item | undefined; isShared: boolean; isCalledToo: boolean };

/** Languages in which a class's own methods write its members without a receiver. */
const bareMembers = new Set(["java", "kotlin", "csharp", "cpp", "scala", "swift", "dart", "groovy"]);

type UseInFile = { line: number; unit: string };

function usesIn(file: OpenedFile, path: string, target: Target): UseInFile[] {
  const { item } = target;
  const code = withoutLiterals(file.text, path);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped(item.name)}(?![\\p{L}\\p{N}_$])`, "gu");
  const offsets = [...code.matchAll(pattern)].map(({ index }) => index);
  return placesAt(offsets, file, path, target, (index, line, unit) => {
    const before = { receiver: receiverBefore(code, index), unit: () => linesOf(code, unit, line) };
    return isMeant(before, code.slice(index + item.name.length), path, line, target);
  });
}

function quotesIn(file: OpenedFile, path: string, target: Target): UseInFile[] {
  return placesAt(stringsSaying(target.item.name, file.text, path), file, path, target, () => true);
}

/** The first of these offsets in each unit. */
function placesAt(
  offsets: readonly number[],
  { text, lines, spans }: OpenedFile,
  path: string,
  target: Target,
  isUse: (offset: number, line: number, unit: OpenedFile["spans"][number] | undefined) => boolean,
): UseInFile[] {
  const firstOf = new Map<string, UseInFile>();
  let counted = 0;
  let line = 1;
  for (const offset of offsets) {
    for (let at = text.indexOf("\n", counted); at !== -1 && at < offset; at = text.indexOf("\n", counted)) {
      line++;
      counted = at + 1;
    }
    const around = spans.filter(([start, end]) => start <= line && line <= end);
    // Import statements are spans without a name.
    if (around.some(([, , name]) => name === "") || isDeclared(path, line, target)) continue;
    const inner = around.sort((a, b) => a[1] - a[0] - (b[1] - b[0]))[0];
    if (!isUse(offset, line, inner)) continue;
    const key = inner ? inner.join(":") : `:${line}`;
    if (line <= lines.length && !firstOf.has(key)) firstOf.set(key, { line, unit: inner?.[2] ?? fileName(path) });
  }
  return [...firstOf.values()];
}

/** A unit's code up to a line. */
function linesOf(code: string, unit: OpenedFile["spans"][number] | undefined, line: number): string {
  if (!unit) return "";
  const lines = code.split("\n").slice(unit[0] - 1, line);
  return lines.join("\n");
}

function isDeclared(path: string, line: number, { item }: Target): boolean {
  return path === item.path && line >= item.startLine && line <= item.endLine;
}

/** Whether the name, written after this receiver, is the item. */
function isMeant(
  { receiver, unit }: { receiver: string | undefined; unit: () => string },
  after: string,
  path: string,
  line: number,
  { item, owner, isShared, isCalledToo }: Target,
): boolean {
  if (isCalledToo && /^\s*(?:\(|::<)/.test(after)) return false;
  // The files of a folder are one package in Go.
  const isHome = path === item.path || (item.language === "go" && !owner && folderOf(path) === folderOf(item.path));
  const last = receiver?.split(/[.:>-]+/).at(-1);
  if (!owner)
    return isHome ? receiver === undefined || !isShared : !isShared || modulesOf(item.path).includes(last ?? "");
  const isInside = isHome && line >= owner.startLine && line <= owner.endLine;
  if (receiver !== undefined && last !== undefined)
    return !isShared || isInside || isCalledLike(last, owner.name) || isOfType(last, owner.name, unit());
  if (isInside && (bareMembers.has(item.language ?? "") || item.kind !== "field")) return true;
  // `Config{Timeout: 5}` sets the field.
  return item.language === "go" && !isShared && /^\s*:[^=]/.test(after);
}

/** `db` for a `DB`, `retry_options` for `RetryOptions`. */
function isCalledLike(variable: string, type: string): boolean {
  return variable === type || variable.replaceAll("_", "").toLowerCase() === type.toLowerCase();
}

/** Whether code declares a variable of a type: `o *Options`, `o: &Options`, `Options o`, `o = new Options(`. */
function isOfType(variable: string, type: string, code: string): boolean {
  const [name, kind] = [escaped(variable), escaped(type)];
  const typed = `(?<![\\p{L}\\p{N}_$.])${name}\\s{0,4}:?\\s{0,4}(?:=\\s{0,4})?[*&]{0,2}(?:mut |new )?${kind}(?![\\p{L}\\p{N}_$])`;
  const before = `(?<![\\p{L}\\p{N}_$.])${kind}\\s{0,4}[*&]{0,2}\\s{1,4}[*&]{0,2}${name}(?![\\p{L}\\p{N}_$])`;
  return new RegExp(`${typed}|${before}`, "u").test(code);
}

/** The qualifiers of this file's values in other files: the name of the file or of its folder. */
function modulesOf(path: string): string[] {
  return [fileName(path).replace(/\.[^.]*$/, ""), fileName(folderOf(path))];
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
