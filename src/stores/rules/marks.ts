/**
 * Marks are the short values of a record's body by their dotted path, so that filters need not read bodies (20,000 of
 * them take 75 ms). An element of a list is marked at the list's path. Values inside a list of objects have no dotted
 * path and no mark.
 */

/** Longer texts are prose, which nobody filters by; a filter that does reads the bodies, or uses their hash. */
const longestMark = 60;

export type Plain = string | number | boolean;

/** The replacement for a text that is too long for a mark; undefined for no mark. */
export type LongMark = (text: string) => string | undefined;
const none: LongMark = () => undefined;

/** A value as a mark: JSON's true is not 1 and its "1" no number. Undefined for a text that is too long. */
export function markOf(value: Plain, long: LongMark = none): string | number | undefined {
  if (typeof value === "string") return value.length <= longestMark ? `=${value}` : long(value);
  return typeof value === "boolean" ? String(value) : value;
}

/** Each as JSON, `["path",value]`. */
export function marksOf(body: unknown, long: LongMark = none): Set<string> {
  const marks = new Set<string>();
  visit(body, "");
  return marks;

  function visit(value: unknown, path: string): void {
    if (Array.isArray(value)) {
      for (const element of value) mark(element, path);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (/^\w+$/.test(key)) visit(inner, path === "" ? key : `${path}.${key}`);
      }
    } else {
      mark(value, path);
    }
  }

  function mark(value: unknown, path: string): void {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return;
    const marked = markOf(value, long);
    if (marked !== undefined && path !== "") marks.add(JSON.stringify([path, marked]));
  }
}
