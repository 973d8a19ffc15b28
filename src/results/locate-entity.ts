import { type Item, isWholeFile } from "../item.ts";
import { contains, overlap, type Span } from "../pipeline/unique.ts";
import { type Entity, kindOf, statedPlace } from "./search-result.ts";

/** `unit`: what the file itself says of the entity. `moved`: it is not where the caller says. */
export type EntityPlace = { startLine: number; endLine: number; unit?: Item; moved: boolean };

/** Lines of an entity whose end nobody knows. */
const unknownLength = 50;

/**
 * Where an entity is in its file now. The caller's lines are taken as they are, unless one unit of the file is called as it is and the
 * lines are past the end of the file, do not have its name in them or tear it: then the file was edited since the caller looked.
 * `units`: the whole file first, as `itemsOf` gives them.
 */
export function locateEntity(
  entity: Entity,
  lines: readonly string[],
  units: readonly Item[],
): EntityPlace | undefined {
  const { startLine, endLine } = statedPlace(entity);
  const whole = units[0]!;
  if (lines.length === 0) return undefined;
  const named = namesakes(entity, units);
  const only = named.length === 1 ? named[0] : undefined;
  if (startLine === undefined) {
    const unit = only ?? (isWhole(entity, whole) ? whole : undefined);
    return unit && at(unit, false);
  }
  if (startLine > lines.length) return only && at(only, true);
  const unit = named.find((each) => each.startLine <= startLine && startLine <= each.endLine);
  const end = endLine ?? unit?.endLine ?? (isWhole(entity, whole) ? lines.length : startLine + unknownLength);
  const span = { startLine, endLine: Math.min(end, lines.length) };
  const name = lastName(entity.name);
  const isThere = unit || lines.slice(startLine - 1, span.endLine).some((text) => text.includes(name));
  if (only && (!isThere || isTorn(span, only, entity))) return at(only, true);
  const same = unit ?? units.find((each) => each.startLine === span.startLine && each.endLine === span.endLine);
  return { ...span, ...(same ? { unit: same } : {}), moved: false };
}

/** Lines that begin or end inside the unit that they are said to be were those of the unit once. */
function isTorn(span: Span, unit: Item, { type }: Entity): boolean {
  return kindOf(type) === unit.kind && overlap(span, unit) && !contains(span, unit) && !contains(unit, span);
}

function at(unit: Item, moved: boolean): EntityPlace {
  return { startLine: unit.startLine, endLine: unit.endLine, unit, moved };
}

/** The units that are called as the entity is; only those of its kind where there are some. */
function namesakes(entity: Entity, units: readonly Item[]): Item[] {
  const name = lastName(entity.name);
  const named = units.filter((unit) => unit.name === name || unit.name === entity.name);
  const kind = kindOf(entity.type);
  const alike = named.filter((unit) => unit.kind === kind);
  return alike.length > 0 ? alike : named;
}

function isWhole(entity: Entity, whole: Item): boolean {
  const kind = kindOf(entity.type);
  return (kind !== undefined && (isWholeFile(kind) || kind === "module")) || entity.name === whole.path;
}

/** `send` of `Session.send`, `net::Session::send` or `Session#send`. */
function lastName(name: string): string {
  return /[^.:#]+$/.exec(name)?.[0] ?? name;
}
