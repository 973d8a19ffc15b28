import { DossierError } from "../../errors.ts";
import { type Item, isInFile, isWholeFile } from "../../item.ts";
import { closest } from "../../text/similarity/closest.ts";
import { resolveInside } from "../../tree/path-escape.ts";
import { skipReasons } from "../../tree/reasons.ts";
import { reasonByPath } from "../../tree/skip.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A resolved target: a record or unit by its id, lines of a file, a unit by its name, a file or a folder. */
export type OpenTarget =
  | { kind: "id"; id: string }
  | { kind: "lines"; path: string; startLine: number; endLine: number }
  | { kind: "unit"; item: Item; others: number }
  | { kind: "file"; path: string }
  | { kind: "folder"; path: string };

/** Items of one name that are opened; the others are counted. */
const mostNamed = 3;
const mostSearched = 16;

/** Everything that a target may mean. Only a name can mean several units. */
export async function targetsCalled(typed: string, workspace: Workspace): Promise<OpenTarget[]> {
  const text = typed.trim().replace(/^\[(.*)\]$/, "$1");
  if (/^[a-z]{3}-[0-9a-z][0-9a-z_-]{0,80}$/i.test(text)) return [{ kind: "id", id: text.toLowerCase() }];
  const paths = new Set((await workspace.store.files(workspace.owner)).map(({ path }) => path));
  const place =
    /^(.+?):(\d{1,9})(?:-(\d{1,9}))?(?::\d+)?$/.exec(text) ?? /^(.+?)#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(text);
  const path = fileCalled(place?.[1] ?? text, paths);
  if (path !== undefined) {
    if (!place) return [{ kind: "file", path }];
    const startLine = Math.max(1, Number(place[2]));
    return [{ kind: "lines", path, startLine, endLine: Math.max(startLine, Number(place[3] ?? startLine)) }];
  }
  const folder = folderCalled(text, paths);
  if (folder !== undefined) return [{ kind: "folder", path: folder }];
  const items = await unitsCalled(text, workspace);
  if (items.length === 0) throw await unknownTarget(text, paths, workspace);
  const firstItems = items.slice(0, mostNamed);
  return firstItems.map((item) => ({ kind: "unit", item, others: items.length - firstItems.length }));
}

/**
 * A file by its path, or the one whose path ends so. Only what is indexed is opened: nothing that is ignored, secret or
 * outside.
 */
function fileCalled(typed: string, paths: ReadonlySet<string>): string | undefined {
  const path = relative(typed);
  if (paths.has(path)) return path;
  if (!/[./]/.test(path)) return undefined;
  const ending = [...paths].filter((each) => each.endsWith(`/${path}`));
  return ending.length === 1 ? ending[0] : undefined;
}

function folderCalled(typed: string, paths: ReadonlySet<string>): string | undefined {
  const path = relative(typed).replace(/\/+$/, "");
  if (path === "" || path === ".") return "";
  for (const each of paths) if (each.startsWith(`${path}/`)) return path;
  return undefined;
}

function relative(typed: string): string {
  return typed.replaceAll("\\", "/").replace(/^(?:\.\/+)+/, "");
}

/**
 * Units by name, or by the end of their qualified name: product code before tests, definitions before what is inside
 * them.
 */
async function unitsCalled(text: string, { store, owner }: Workspace): Promise<Item[]> {
  const name = text.replace(/\(\)$/, "").replace(/::|#|->/g, ".");
  for (const mode of ["exact", "suffix"] as const) {
    const hits = await store.searchNames(owner, { text: name, mode, limit: mostSearched });
    const items = hits.map(({ item }) => item).filter((item) => isInFile(item.source) && !isWholeFile(item.kind));
    const exact = items.filter((item) => item.name === name || item.qualifiedName.endsWith(name));
    const best = exact.length > 0 ? exact : items;
    if (best.length > 0) return best.sort((a, b) => Number(a.test ?? false) - Number(b.test ?? false));
  }
  return [];
}

async function unknownTarget(text: string, paths: ReadonlySet<string>, workspace: Workspace): Promise<DossierError> {
  const { store, owner } = workspace;
  const quoted = JSON.stringify(text.slice(0, 200));
  const bare = relative(text.replace(/:\d.*$/, ""));
  if (reasonByPath(bare) === "secret") return new DossierError("not-found", `${quoted} is left out: it holds secrets.`);
  const skipped = await whySkipped(bare, workspace);
  if (skipped !== undefined) return new DossierError("not-found", `${quoted} is here, but is not indexed: ${skipped}.`);
  const near = await store.searchNames(owner, { text: text.slice(0, 200), mode: "fuzzy", limit: 3 });
  const guess = closest(bare, [...paths]) ?? near.find(({ item }) => !isWholeFile(item.kind))?.item.name;
  const hint = guess === undefined ? "" : ` Did you mean ${guess}?`;
  return new DossierError(
    "not-found",
    `There is no ${quoted} here: give an id such as cod-1k3f, a path with or without :lines, or a name.${hint}`,
  );
}

/**
 * Why a file on disk is not in the index, in words; undefined for files that git ignores, since they are not listed.
 */
async function whySkipped(path: string, workspace: Workspace): Promise<string | undefined> {
  // Listing a large folder takes long, so it is done only for a path that exists.
  if ("reason" in resolveInside(workspace.root, path)) return undefined;
  const { staleFiles } = await import("../index/staleness.ts");
  const reason = (await staleFiles(workspace)).skipped.get(path);
  return reason === undefined ? undefined : skipReasons[reason];
}
