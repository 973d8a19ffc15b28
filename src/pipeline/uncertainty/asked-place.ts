import type { Recipe } from "../../recipes/recipe.ts";
import { sources } from "../../sources/all.ts";
import { filesAt, pathsNear } from "../../sources/asked-paths.ts";
import { bringsLines } from "../../sources/source.ts";
import type { Hit } from "../../stores/store.ts";
import type { Query } from "../../text/analysis/query.ts";
import { fileEnding } from "../../text/analysis/query-paths.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { openFile } from "../open-file.ts";

/** The notice for a query that is only a path. `isMissing`: the file does not exist, so all evidence is a guess. */
export type AskedPlace = { notice: string; isMissing: boolean };

const longestShown = 120;
/** Most files of a folder that are named, and most characters of their list. */
const mostNamed = 12;
const longestList = 400;

/** Undefined if the query is an existing file, or not a path. */
export async function askedPlace(query: Query, recipe: Recipe, workspace: Workspace): Promise<AskedPlace | undefined> {
  const isInFiles = recipe.asks.some((ask) => sources.some((each) => each.name === ask.source && bringsLines(each)));
  if (!isInFiles || recipe.chat) return undefined;
  return (await missingFile(query, workspace)) ?? (await askedFolder(query, workspace));
}

async function missingFile({ shape, onlyPaths, paths }: Query, workspace: Workspace): Promise<AskedPlace | undefined> {
  const [first] = paths;
  const isPath = shape === "path" || onlyPaths;
  if (!isPath || first === undefined || !paths.every(({ path }) => fileEnding.test(path))) return undefined;
  const there = (await Promise.all(paths.map(({ path }) => filesAt(path, workspace)))).flat();
  if (there.length > 0) return emptyFile(there, workspace);
  const near = await pathsNear(first.path, workspace);
  // "Node.js" is not a file.
  if (near.length === 0 && !first.path.includes("/")) return undefined;
  const absent = workspace.isPartial ? "is indexed here so far" : "is indexed here";
  const nearest = near.length > 0 ? `; near: ${near.join(", ")}` : "";
  return { notice: `No file ${first.path.slice(-longestShown)} ${absent}${nearest}.`, isMissing: true };
}

/** The notice if every requested file exists and has no text. */
async function emptyFile(hits: readonly Hit[], workspace: Workspace): Promise<AskedPlace | undefined> {
  for (const { item } of hits) {
    const { lines } = await openFile(item.path, undefined, workspace);
    if (lines.some((line) => line.trim() !== "")) return undefined;
  }
  return { notice: `${hits.map(({ item }) => item.path.slice(-longestShown)).join(", ")}: empty.`, isMissing: true };
}

async function askedFolder({ text }: Query, { store, owner }: Workspace): Promise<AskedPlace | undefined> {
  const trimmed = text.trim();
  if (trimmed.length > longestShown || !/^[^\s/][^\s]*\/[^\s]*$/.test(trimmed)) return undefined;
  const folder = `${trimmed.replace(/^\.\//, "").replace(/\/+$/, "")}/`;
  const inside = (await store.files(owner)).flatMap(({ path }) =>
    path.startsWith(folder) ? [path.slice(folder.length)] : [],
  );
  if (inside.length === 0) return undefined;
  const named: string[] = [];
  let length = 0;
  for (const path of inside.sort().slice(0, mostNamed)) {
    length += path.length;
    if (named.length > 0 && length > longestList) break;
    named.push(path);
  }
  const left = inside.length - named.length;
  const more = left > 0 ? ` and ${left} more` : "";
  return { notice: `${folder} is a folder: ${named.join(", ")}${more}.`, isMissing: false };
}
