import { type Link, type LinkKind, linkKinds as namedKinds } from "../../item.ts";

/** Numbers stored by every engine: never change one, only add. */
export const linkCodes: Record<Link["kind"], number> = {
  contains: 0,
  imports: 1,
  calls: 2,
  references: 3,
  extends: 4,
  implements: 5,
  tests: 6,
  touches: 7,
  child: 8,
  parent: 9,
  reference: 10,
  field: 11,
  declares: 12,
};

export const linkKinds = new Map(Object.entries(linkCodes).map(([kind, code]) => [code, kind as Link["kind"]]));
export const allLinkKinds: LinkKind[] = [...namedKinds];
