import type { Dropped } from "../../document.ts";
import { citationIds } from "../../formats/citation.ts";
import { type Item, isWholeFile } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { droppedFor } from "../dropped.ts";
import { type OpenedFile, openFile, spanHash } from "../open-file.ts";
import { contains, ownSpan, type Span, sizeOf, type Unique } from "../unique.ts";
import { isValue } from "./callers.ts";
import { attach, locate } from "./enrich.ts";

/**
 * In lines. A smaller enum or group of constants is printed whole: which values there are is what its reader wants to
 * know.
 */
const smallGroup = 30;
/**
 * Lines between two values of one class that are printed with them, and between two of a file: a heading for each takes
 * as much room.
 */
const widestGap = { inClass: 6, inFile: 2 };

type Grouping = { unique: Unique[]; duplicates: Dropped[] };

/**
 * Values of one enum, class or group of constants as one span: the whole of a small one where several of its values
 * were found or one is asked for, otherwise neighbours with the few lines between them.
 */
export async function withValueGroups(
  unique: readonly Unique[],
  request: Request,
  workspace: Workspace,
): Promise<Grouping> {
  let grouped = [...unique];
  const duplicates: Dropped[] = [];
  const files = [...valuesByFile(unique)].map(async ([path, values]) => {
    const items = workspace.store.itemsOf(workspace.owner, path);
    const file = openUnchanged(path, workspace);
    return { values, items: await items, file: await file };
  });
  for (const { values, items, file } of await Promise.all(files)) {
    if (!file) continue;
    for (const siblings of bySiblings(values).values()) {
      for (const group of groupsOf(siblings, items, grouped, file)) {
        const one = await joined(group, file, request);
        if (!one) continue;
        const gone = new Set([...group.members, ...group.replaced]);
        const best = grouped.findIndex((each) => gone.has(each));
        duplicates.push(
          ...[...gone]
            .filter(({ item }) => item.id !== one.item.id)
            .map((each) => droppedFor(each, "duplicate", one.item.id)),
        );
        grouped = grouped.flatMap((each, place) =>
          place === best ? [one] : gone.has(each) ? [] : [withoutLines(each, one)],
        );
      }
    }
  }
  return { unique: duplicates.length === 0 ? grouped : withCitations(grouped), duplicates };
}

/** Values that are not alone in their group, or that are asked for, by file. */
function valuesByFile(unique: readonly Unique[]): Map<string, Unique[]> {
  const files = new Map<string, Unique[]>();
  for (const each of unique) {
    const { item, outline, pinned, freshness } = each;
    if (!isValue(item) || item.parent === undefined || outline || pinned || freshness !== "current") continue;
    files.set(item.path, [...(files.get(item.path) ?? []), each]);
  }
  for (const [path, values] of files)
    if ([...bySiblings(values).values()].every((each) => each.length < 2 && !isAsked(each[0]!))) files.delete(path);
  return files;
}

function bySiblings(values: readonly Unique[]): Map<string, Unique[]> {
  const groups = new Map<string, Unique[]>();
  for (const each of values) groups.set(each.item.parent!, [...(groups.get(each.item.parent!) ?? []), each]);
  return groups;
}

function isAsked({ signals }: Unique): boolean {
  return signals.named !== undefined;
}

async function openUnchanged(path: string, workspace: Workspace): Promise<OpenedFile | undefined> {
  const outlines = await workspace.store.outlines(workspace.owner, [path]);
  const file = await openFile(path, outlines.get(path), workspace);
  return file.unchanged && file.onDisk ? file : undefined;
}

/** The values that become one span. `whole`: the item of the whole group; `replaced`: its outline, if it has one. */
type Group = Span & { members: Unique[]; whole?: Item; replaced: Unique[] };

function groupsOf(siblings: Unique[], items: readonly Item[], all: readonly Unique[], file: OpenedFile): Group[] {
  const parent = items.find(({ id }) => id === siblings[0]!.item.parent);
  if (!parent) return [];
  const isFile = isWholeFile(parent.kind);
  if (!isFile && isPrintedWhole(parent, siblings, all)) {
    const replaced = all.filter(({ item }) => item.id === parent.id);
    return [{ members: siblings, whole: parent, replaced, startLine: parent.startLine, endLine: parent.endLine }];
  }
  const values = items.filter((item) => item.parent === parent.id && isValue(item));
  const most = isFile ? widestGap.inFile : widestGap.inClass;
  const runs: Unique[][] = [];
  for (const next of [...siblings].sort((a, b) => ownSpan(a).startLine - ownSpan(b).startLine)) {
    const last = runs.at(-1)?.at(-1);
    const gap = last && { startLine: ownSpan(last).endLine + 1, endLine: ownSpan(next).startLine - 1 };
    if (gap && sizeOf(gap) >= 0 && sizeOf(gap) <= most && isOnlyValues(gap, values, file)) runs.at(-1)!.push(next);
    else runs.push([next]);
  }
  return runs
    .filter((run) => run.length > 1)
    .map((members) => ({
      members,
      replaced: [],
      startLine: ownSpan(members[0]!).startLine,
      endLine: Math.max(...members.map((each) => ownSpan(each).endLine)),
    }));
}

/** Whether a group is small, not printed already, and none of its functions is an item of its own. */
function isPrintedWhole(parent: Item, siblings: readonly Unique[], all: readonly Unique[]): boolean {
  const isGroup = parent.kind === "enum" || parent.kind === "block";
  if (sizeOf(parent) > smallGroup || (siblings.length < 2 && !isGroup)) return false;
  const inside = all.filter(
    (other) => other.item.path === parent.path && !siblings.includes(other) && contains(parent, ownSpan(other)),
  );
  return inside.every(({ item, outline }) => item.id === parent.id && outline === true);
}

function isOnlyValues(gap: Span, values: readonly Item[], file: OpenedFile): boolean {
  for (let line = gap.startLine; line <= gap.endLine; line++) {
    const isBlank = file.lines[line - 1]?.trim() === "";
    if (!isBlank && !values.some((value) => value.startLine <= line && line <= value.endLine)) return false;
  }
  return true;
}

/** The span as one item: the group's own where it is whole, otherwise that of its best member. */
async function joined(
  { members, whole, startLine, endLine }: Group,
  file: OpenedFile,
  request: Request,
): Promise<Unique | undefined> {
  const best = members.reduce((a, b) => (b.score > a.score ? b : a));
  const item = whole ?? best.item;
  const place = whole ? await locate(whole, file) : { startLine, endLine, freshness: best.freshness };
  if (place?.freshness !== "current") return undefined;
  const { item: _, score, signals, because } = best;
  const distance = Math.min(...members.map((each) => each.distance));
  const scored = { item, score, signals, because, distance, ...(best.via ? { via: best.via } : {}) };
  const attached = await attach(scored, place, file, [], { ...request, contextLines: 0 });
  const others = members.filter((each) => each !== best || whole);
  const why = whole ? "inside" : "overlapping";
  return {
    ...attached,
    item,
    citation: { ...attached.citation, itemId: item.id, hash: spanHash(file.lines, place.startLine, place.endLine) },
    merged: [
      ...best.merged,
      ...others.flatMap((each) => [
        { id: each.item.id, name: each.item.name, why },
        ...(each === best ? [] : each.merged),
      ]),
    ],
    absorbed: members.flatMap((each) => [each, ...(each.absorbed ?? [])]),
    focus: [best, ...members.filter((each) => each !== best)].map(ownSpan),
    ...(members.some(({ companion }) => companion) ? { companion: true } : {}),
  };
}

/** The outline of what contains a group does not repeat its lines. */
function withoutLines(each: Unique, group: Unique): Unique {
  if (!each.outline || !each.parts || each.item.path !== group.item.path) return each;
  return { ...each, parts: [...each.parts, { ...ownSpan(group), name: "" }] };
}

function withCitations(unique: readonly Unique[]): Unique[] {
  const ids = unique.flatMap(({ item, absorbed = [] }) => [item.id, ...absorbed.map((each) => each.item.id)]);
  const short = citationIds([...new Set(ids)]);
  const cited = (each: Unique) => ({ ...each, citation: { ...each.citation, id: short.get(each.item.id)! } });
  return unique.map((each) => ({ ...cited(each), ...(each.absorbed ? { absorbed: each.absorbed.map(cited) } : {}) }));
}
