import { type Item, isWholeFile } from "../item.ts";
import { contains, overlap, type Span } from "../pipeline/unique.ts";
import { type Entity, kindOf, statedPlace } from "./search-result.ts";

/** `unit`: what the file itself says of the entity. `moved`: it is not where the caller says. */
export type EntityPlace = { startLine: number; endLine: number; unit?: Item; moved: boolean };

/** Number of lines of an entity without a known end. */
const unknownLength = 50;

/**
 * Where an entity is in its file now. The caller's lines are used as they are, unless exactly one unit of the file
 * has the entity's name and the lines are past the end of the file, lack that name, or cut the unit: then the file
 * was edited since the caller looked. `units`: the whole file first, as `itemsOf` gives them.
 */
export function locateEntity(
  entity: Entity,
  lines: readonly string[],
  units: readonly Item[],
): EntityPlace | undefined {
  const { startLine, endLine } = statedPlace(entity);
  const wholeFile = units[0]!;
  if (lines.length === 0) return undefined;
  const matches = namesakes(entity, units);
  const only = matches.length === 1 ? matches[0] : undefined;
  if (startLine === undefined) {
    const unit = only ?? (isWhole(entity, wholeFile) ? wholeFile : undefined);
    return unit && at(unit, false);
  }
  if (startLine > lines.length) return only && at(only, true);
  const unit = matches.find((each) => each.startLine <= startLine && startLine <= each.endLine);
  const end = endLine ?? unit?.endLine ?? (isWhole(entity, wholeFile) ? lines.length : startLine + unknownLength);
  const span = { startLine, endLine: Math.min(end, lines.length) };
  const name = lastName(entity.name);
  const isThere = unit || lines.slice(startLine - 1, span.endLine).some((text) => text.includes(name));
  if (only && (!isThere || isTorn(span, only, entity))) return at(only, true);
  const exactUnit = unit ?? units.find((each) => each.startLine === span.startLine && each.endLine === span.endLine);
  return { ...span, ...(exactUnit ? { unit: exactUnit } : {}), moved: false };
}

/**
 * The lines are wrong if they begin or end inside the unit that has the entity's name: the unit was there before an
 * edit.
 */
function isTorn(span: Span, unit: Item, { type }: Entity): boolean {
  return kindOf(type) === unit.kind && overlap(span, unit) && !contains(span, unit) && !contains(unit, span);
}

function at(unit: Item, moved: boolean): EntityPlace {
  return { startLine: unit.startLine, endLine: unit.endLine, unit, moved };
}

/** The units with the entity's name; only those of its kind if there are any. */
function namesakes(entity: Entity, units: readonly Item[]): Item[] {
  const name = lastName(entity.name);
  const sameName = units.filter((unit) => unit.name === name || unit.name === entity.name);
  const kind = kindOf(entity.type);
  const alike = sameName.filter((unit) => unit.kind === kind);
  return alike.length > 0 ? alike : sameName;
}

function isWhole(entity: Entity, wholeFile: Item): boolean {
  const kind = kindOf(entity.type);
  return (kind !== undefined && (isWholeFile(kind) || kind === "module")) || entity.name === wholeFile.path;
}

/** `send` of `Session.send`, `net::Session::send` or `Session#send`. */
function lastName(name: string): string {
  return /[^.:#]+$/.exec(name)?.[0] ?? name;
}
