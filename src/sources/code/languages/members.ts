import type { Kind } from "../../../item.ts";

/** Fields, properties and the entries of enumerations: what a type is made of. */
export const memberKind: Kind = "field";

/** A value at the top of a module is a constant; inside a type it is a member of it. */
export function valueKind(inside: Kind | undefined): Kind {
  return inside === undefined || inside === "module" ? "constant" : memberKind;
}
