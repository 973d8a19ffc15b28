import type { Kind } from "../../../item.ts";

/** Kind of fields, properties and enumeration entries. */
export const memberKind: Kind = "field";

/** A value at the top of a module is a constant; inside a type it is a member. */
export function valueKind(inside: Kind | undefined): Kind {
  return inside === undefined || inside === "module" ? "constant" : memberKind;
}
