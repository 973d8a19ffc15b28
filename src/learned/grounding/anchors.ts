import { codeKinds, type Item } from "../../item.ts";
import { hashText } from "../../text/hash.ts";
import { splitLines } from "../../text/lines.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Anchor } from "../memory.ts";
import type { Command } from "./commands.ts";
import { type CodeMention, mentionsOf } from "./mentions.ts";
import { Paths } from "./paths.ts";
import { makeTargets, packageScripts } from "./scripts.ts";
import { marksOf, sketchOf } from "./sketch.ts";

const mostAnchors = 10;
/** A name with more definitions is ambiguous: no single location says anything about it. */
const mostDefinitions = 20;
/** Limit of stored neighbour names; a file with more is left without them. */
const mostBeside = 400;

/** Where each name that a text mentions is now, to recognise it after it is gone. Called when a record is written. */
export async function anchorsOf(text: string, workspace: Workspace): Promise<Anchor[]> {
  const anchors: Anchor[] = [];
  const mentions = mentionsOf(text).filter(({ past }) => !past);
  const paths = new Paths(workspace);
  const namedPaths = mentions.flatMap(({ kind, name }) => (kind === "path" ? [name] : []));
  for (const mention of mentions) {
    if (anchors.length === mostAnchors) break;
    const anchor = await anchorOf(mention, namedPaths, paths, workspace);
    if (anchor) anchors.push(anchor);
  }
  return anchors;
}

function anchorOf(
  mention: CodeMention,
  namedPaths: string[],
  paths: Paths,
  workspace: Workspace,
): Promise<Anchor | undefined> {
  if (mention.kind === "symbol") return symbolAnchor(mention.name, namedPaths, workspace);
  if (mention.kind === "path") return pathAnchor(mention.name, mention.name, paths, workspace);
  return commandAnchor(mention.command!, paths, workspace);
}

const definitionKinds = codeKinds.filter((kind) => kind !== "file");

/** The definitions of a symbol: `Outer.inner` in an `Outer`, where there is one. */
export async function definitionsOf(name: string, { store, owner }: Workspace): Promise<Item[]> {
  const look = async (text: string, mode: "exact" | "suffix") => {
    const hits = await store.searchNames(owner, {
      text,
      mode,
      limit: mostDefinitions,
      filter: { kinds: definitionKinds },
    });
    return hits.map(({ item }) => item);
  };
  return name.includes(".") ? look(name, "suffix") : look(name, "exact");
}

async function symbolAnchor(name: string, namedPaths: string[], workspace: Workspace): Promise<Anchor | undefined> {
  const last = name.slice(name.lastIndexOf(".") + 1);
  let definitions = await definitionsOf(name, workspace);
  if (definitions.length === 0 && last !== name) definitions = await definitionsOf(last, workspace);
  const exact = definitions.filter((item) => item.name === last);
  if (exact.length === 0 || definitions.length >= mostDefinitions) return undefined;
  const isNamedPath = (item: Item) => namedPaths.some((path) => `/${item.path}`.endsWith(`/${path}`));
  const item = exact.find(isNamedPath) ?? exact.find(({ test }) => !test) ?? exact[0]!;
  return { name, path: item.path, hash: item.hash, item: item.id, ...(await likenessOf(item, workspace)) };
}

/** What is needed to recognise a renamed symbol: a sketch of its text, and the names it cannot have become. */
async function likenessOf(item: Item, workspace: Workspace): Promise<Pick<Anchor, "sketch" | "beside">> {
  const units = await sketchedUnits(item.path, workspace);
  const sketch = units.find((unit) => unit.item.id === item.id)?.sketch;
  if (sketch === undefined || units.length > mostBeside) return {};
  return { sketch, beside: marksOf(units.map((unit) => qualifiedIn(unit.item))) };
}

/** `Outer.inner` of `path::Outer.inner`: unchanged when the file is renamed. */
export function qualifiedIn({ qualifiedName, path }: Item): string {
  return qualifiedName.slice(path.length + 2);
}

/** The units of an indexed file with the sketches of their text. */
export async function sketchedUnits(
  path: string,
  { store, owner }: Workspace,
): Promise<{ item: Item; sketch: string }[]> {
  const [file, items] = await Promise.all([store.file(owner, path), store.itemsOf(owner, path)]);
  if (!file) return [];
  const lines = splitLines(file.text);
  return items
    .filter(({ kind }) => definitionKinds.includes(kind as (typeof definitionKinds)[number]))
    .map((item) => ({ item, sketch: sketchOf(lines.slice(item.startLine - 1, item.endLine), item.name) }));
}

async function pathAnchor(name: string, path: string, paths: Paths, workspace: Workspace): Promise<Anchor | undefined> {
  const { store, owner } = workspace;
  const place = await paths.locate(path);
  if (!place || place.path === "") return undefined;
  if (place.folder) return { name, path: place.path, hash: "" };
  const file = (await store.wholeFiles(owner, [place.path])).get(place.path);
  return { name, path: place.path, hash: file?.item.hash ?? "" };
}

async function commandAnchor(command: Command, paths: Paths, workspace: Workspace): Promise<Anchor | undefined> {
  if (command.runs === "script-file") return pathAnchor(command.name, command.path, paths, workspace);
  if (command.runs === "other") return undefined;
  const isScript = command.runs === "package-script";
  const { byName } = await (isScript ? packageScripts(workspace) : makeTargets(workspace));
  const name = isScript ? command.script : command.target;
  const [script] = byName.get(name) ?? [];
  if (!script) return undefined;
  const beside = [...byName.keys()].filter((other) => other !== name);
  return { name: command.name, path: script.path, hash: hashText(script.body), beside: marksOf(beside) };
}
