import type { Output } from "../../../../client/client.ts";

export type Graph = Output<"graph">;
export type GraphNode = Graph["nodes"][number];
export type LinkRelation = Graph["edges"][number]["relation"];

/** The names of a link from its two ends, and its colour. */
const relations: Record<LinkRelation, { out: string; in: string; colour: string }> = {
  calls: { out: "calls", in: "called by", colour: "source-code" },
  imports: { out: "imports", in: "imported by", colour: "source-file" },
  contains: { out: "contains", in: "in", colour: "source-commit" },
  references: { out: "refers to", in: "referred to by", colour: "source-reference" },
  extends: { out: "extends", in: "extended by", colour: "source-note" },
  implements: { out: "implements", in: "implemented by", colour: "source-note" },
  tests: { out: "tests", in: "tested by", colour: "source-document" },
  touches: { out: "touches", in: "touched by", colour: "source-experience" },
  child: { out: "holds", in: "below", colour: "source-note" },
  parent: { out: "below", in: "holds", colour: "source-note" },
  reference: { out: "mentions", in: "mentioned by", colour: "source-message" },
  field: { out: "has in a field", in: "in a field of", colour: "source-value" },
};

export function colourOf(relation: LinkRelation): string {
  return relations[relation].colour;
}

export function wordFor(relation: LinkRelation, outwards: boolean): string {
  return relations[relation][outwards ? "out" : "in"];
}

/** Where an item is, in one line. */
export function placeOf({ path, startLine }: Pick<GraphNode, "path" | "startLine">): string {
  return startLine === undefined ? path : `${path}:${startLine}`;
}
