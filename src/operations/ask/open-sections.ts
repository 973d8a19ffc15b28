import type { AskedSection } from "../../assemble.ts";
import { DossierError } from "../../errors.ts";
import { type Item, isInFile, isWholeFile, type LinkKind, type UsageSite } from "../../item.ts";
import { shelfOfId } from "../../stores/store.ts";
import { redact } from "../../text/secrets/secrets.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "../core/operation.ts";
import { type OpenedItem, openItem } from "./item.ts";
import { findItem } from "./item-find.ts";
import type { OpenTarget } from "./open-targets.ts";

export const shows = ["text", "callers", "references", "outline"] as const;
export type Show = (typeof shows)[number];

const mostPlaces = 100;
/** Names of a file's units in the outline of its folder. */
const mostNames = 12;
const longestName = 100;
/** Files of a folder whose names are listed: no budget of an agent holds more lines. */
const mostOutlined = 1000;

/** The sections shown for a target, read from the disk as it is now. */
export async function sectionsOf(
  target: OpenTarget,
  show: Show,
  workspace: Workspace,
  environment: Environment,
): Promise<AskedSection[]> {
  if (target.kind === "folder") {
    if (show === "text" || show === "outline") return [await folderOutline(target.path, workspace)];
    throw new DossierError("bad-input", `${target.path || "."} is a folder: ${show} are those of a unit or a file.`);
  }
  if (show === "text") return [await textOf(target, workspace, environment)];
  if (show === "outline") return [await outlineOf(await pathOf(target, workspace), workspace)];
  return usesSections(await itemOf(target, workspace), show, workspace);
}

async function textOf(target: OpenTarget, workspace: Workspace, environment: Environment): Promise<AskedSection> {
  if (target.kind === "id") return openedSection(await openItem(target.id, workspace, environment));
  if (target.kind === "unit") {
    const more = target.others > 0 ? [`${target.others} more of this name`] : [];
    const section = openedSection(await openItem(target.item.id, workspace, environment));
    return { ...section, notes: [...section.notes, ...more] };
  }
  const { path } = target as { path: string };
  const { lines, language } = await fileOf(path, workspace);
  const startLine = target.kind === "lines" ? target.startLine : 1;
  const endLine = Math.min(target.kind === "lines" ? target.endLine : lines.length, lines.length);
  if (startLine > Math.max(1, lines.length)) throw new DossierError("not-found", `${path} has ${lines.length} lines.`);
  const range = lines.slice(startLine - 1, endLine);
  return { path, startLine, endLine: Math.max(startLine, endLine), language, notes: [], lines: range };
}

/** A whole file, with secrets redacted before it is cut: a key may span more lines than those asked for. */
async function fileOf(path: string, workspace: Workspace): Promise<{ lines: string[]; language?: string }> {
  const read = await workspace.files.read(path);
  if ("reason" in read) throw new DossierError("not-found", `${path} cannot be read: ${read.reason}.`);
  const [file] = await workspace.store.itemsOf(workspace.owner, path);
  return { lines: redact(read.lines.join("\n")).text.split("\n"), language: file?.language };
}

const marks: Record<OpenedItem["freshness"], string[]> = {
  current: [],
  moved: ["moved since indexing"],
  stored: ["stored text: the file is gone"],
};

function openedSection({ id, source, kind, name, location, language, freshness, text }: OpenedItem): AskedSection {
  const lines = text.split("\n");
  const place = isInFile(source) ? /^(.*):(\d+)-(\d+)$/.exec(location) : null;
  const section = { id, kind, name, notes: marks[freshness], lines };
  if (!place) return { path: location, ...section };
  return { path: place[1]!, startLine: Number(place[2]), endLine: Number(place[3]), language, ...section };
}

/** The unit that is meant; for lines, the smallest unit around the first of them. */
async function itemOf(target: OpenTarget, workspace: Workspace): Promise<Item> {
  const { store, owner } = workspace;
  if (target.kind === "unit") return target.item;
  if (target.kind === "id") {
    const { id } = await findItem(workspace, target.id);
    const [item] = await store.shelf(shelfOfId(id)).items(owner, [id]);
    if (item && isInFile(item.source)) return item;
    throw new DossierError("bad-input", `${id} is not in a file: nothing calls it.`);
  }
  const { path } = target as { path: string };
  const items = await store.itemsOf(owner, path);
  const line = target.kind === "lines" ? target.startLine : undefined;
  const around = items
    .filter((item) => (line === undefined ? isWholeFile(item.kind) : item.startLine <= line && item.endLine >= line))
    .sort((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine));
  if (around[0]) return around[0];
  throw new DossierError("not-found", `${path} has no unit at line ${line ?? 1}.`);
}

const kindsOf: Record<"callers" | "references", LinkKind[]> = {
  callers: ["calls"],
  references: ["calls", "references", "extends", "implements", "tests"],
};

async function usesSections(item: Item, show: "callers" | "references", workspace: Workspace): Promise<AskedSection[]> {
  const { usersOf } = await import("../../assemble.ts");
  const { path, startLine, endLine, id, kind, name } = item;
  const head = { path, startLine, endLine, id, kind, name, notes: [] };
  if (isWholeFile(kind)) return [{ ...head, list: "imported by", lines: await importersOf(item, workspace) }];
  const { callers, tests } = await usersOf(item, workspace, kindsOf[show], mostPlaces);
  const word = show === "callers" ? "called by" : "used by";
  const sections = [
    ...(callers.length > 0 || tests.length === 0 ? [{ ...head, list: word, lines: callers.map(placeLine) }] : []),
    ...(tests.length > 0 ? [{ ...head, list: "tested by", lines: tests.map(placeLine) }] : []),
  ];
  if (callers.length > 0) return sections;
  const note = await noteOnUnknown(item, show, tests, workspace);
  return sections.map((section, index) => ({
    ...section,
    ...(section.lines.length > 0 ? {} : { list: undefined }),
    notes: index === 0 ? [note] : [],
  }));
}

/** Most places listed for a function whose callers are not known for certain. */
const mostNamed = 8;

/**
 * A function without known callers may still be in use: its name is written as a call somewhere, but no link could
 * resolve it.
 */
async function noteOnUnknown(
  item: Item,
  show: "callers" | "references",
  tests: readonly UsageSite[],
  workspace: Workspace,
): Promise<string> {
  const { callsSaying } = await import("../../assemble.ts");
  const known = new Set(tests.map(({ path, line }) => `${path}:${line}`));
  const places = (await callsSaying(item, workspace))
    .map(({ path, line }) => `${path}:${line}`)
    .filter((each) => !known.has(each));
  const verb = show === "callers" ? "calls" : "uses";
  const apart = tests.length > 0 ? " but tests" : "";
  if (places.length === 0) return `nothing${apart} is known that ${verb} it`;
  const more = places.length > mostNamed ? `, and ${places.length - mostNamed} more` : "";
  const count = places.length === 1 ? "1 place writes" : `${places.length} places write`;
  return `nothing${apart} is known for certain that ${verb} it; ${count} the name as a call: ${places.slice(0, mostNamed).join(", ")}${more}`;
}

function placeLine({ path, line, name, text }: UsageSite): string {
  return `${path}:${line} ${name}: ${text}`;
}

async function importersOf(item: Item, { store, owner }: Workspace): Promise<string[]> {
  const links = await store.links(owner, [item.id], "to", ["imports"], mostPlaces);
  const items = await store.items(owner, [...new Set(links.map(({ from }) => from))]);
  return [...new Set(items.map(({ path }) => path))].sort();
}

async function pathOf(target: OpenTarget, workspace: Workspace): Promise<string> {
  if ("path" in target) return target.path;
  return (await itemOf(target, workspace)).path;
}

/** Every unit of a file with its lines, inner ones below what they are in. */
async function outlineOf(path: string, workspace: Workspace): Promise<AskedSection> {
  const items = await workspace.store.itemsOf(workspace.owner, path);
  const byId = new Map(items.map((item) => [item.id, item]));
  const depthOf = (item: Item): number => {
    const parent = item.parent === undefined ? undefined : byId.get(item.parent);
    return parent === undefined || isWholeFile(parent.kind) ? 0 : 1 + depthOf(parent);
  };
  const units = items.filter(({ kind }) => !isWholeFile(kind));
  const read = units.some(({ kind }) => kind === "block") ? await workspace.files.read(path) : { lines: [] };
  const fileLines = "lines" in read ? redact(read.lines.join("\n")).text.split("\n") : [];
  const lines = units.map((item) => {
    const opening = item.kind === "block" ? firstStatement(item, fileLines) : item.signature?.split("\n")[0]?.trim();
    const label = redact(opening || item.name).text.slice(0, longestName);
    return `${"  ".repeat(depthOf(item))}${item.startLine}-${item.endLine} ${item.kind} ${label}`;
  });
  const file = items.find(({ kind }) => isWholeFile(kind));
  const place = file ? { startLine: file.startLine, endLine: file.endLine } : {};
  return { path, ...place, notes: [], list: "outline", lines };
}

/** A block has no name of its own: its first line says more about it than a word inside it. */
function firstStatement({ startLine, endLine }: Item, lines: string[]): string | undefined {
  const own = lines.slice(startLine - 1, endLine).map((line) => line.trim());
  return own.find((line) => /^[\p{L}_$@([{<.]/u.test(line)) ?? own.find((line) => line !== "");
}

/** Its folders with how much is in them, and its files with what they define. */
async function folderOutline(folder: string, workspace: Workspace): Promise<AskedSection> {
  const { store, owner } = workspace;
  const prefix = folder === "" ? "" : `${folder}/`;
  const inside = (await store.files(owner)).map(({ path }) => path).filter((path) => path.startsWith(prefix));
  const files = inside.filter((path) => !path.slice(prefix.length).includes("/")).sort();
  const folders = new Map<string, number>();
  for (const path of inside) {
    const slash = path.indexOf("/", prefix.length);
    if (slash < 0) continue;
    const name = path.slice(prefix.length, slash + 1);
    folders.set(name, (folders.get(name) ?? 0) + 1);
  }
  const lines: string[] = [];
  for (const path of files) {
    const names = lines.length < mostOutlined ? await definedNames(path, workspace) : [];
    const more = names.length > mostNames ? `, and ${names.length - mostNames} more` : "";
    const unitNames = names.length === 0 ? "" : `: ${redact(names.slice(0, mostNames).join(", ")).text}${more}`;
    lines.push(`${path.slice(prefix.length)}${unitNames}`);
  }
  const below = [...folders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `${name} (${count} files)`);
  return { path: prefix || "./", notes: [], list: "outline", lines: [...below, ...lines] };
}

/** What a file defines at its top level. Blocks are left out, since they define nothing, but not what they contain. */
async function definedNames(path: string, { store, owner }: Workspace): Promise<string[]> {
  const items = await store.itemsOf(owner, path);
  const units = items.filter(({ kind }) => !isWholeFile(kind) && kind !== "block");
  const outer = units.filter(
    ({ startLine, endLine }) =>
      !units.some((around) => {
        const isLonger = around.endLine - around.startLine > endLine - startLine;
        return isLonger && around.startLine <= startLine && around.endLine >= endLine;
      }),
  );
  return [...new Set(outer.map(({ name }) => name).filter((name) => name !== ""))];
}
