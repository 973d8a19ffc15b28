import type { Enriched, Item, Kind } from "../../src/item.ts";
import { contextInput, type Request, requestOf } from "../../src/options.ts";
import { hashText } from "../../src/text/hash.ts";

/** Ranked items made by hand, as enrich would hand them on. */

export type EvidencePiece = Partial<Omit<Enriched, "item" | "lines" | "citation">> & {
  path: string;
  /** The item's own text; context lines go around it. */
  text: string;
  before?: string[];
  after?: string[];
  kind?: Kind;
  name?: string;
  /** First of the item's own lines. */
  line?: number;
  item?: Partial<Item>;
};

export function evidence(piece: EvidencePiece): Enriched {
  const {
    path,
    text,
    before = [],
    after = [],
    kind = "function",
    name = "example",
    line = 1,
    item = {},
    ...rest
  } = piece;
  const own = text.split("\n");
  const endLine = line + own.length - 1;
  const id = item.id ?? `cod-${hashText(`${path} ${kind} ${name} ${line}`)}`;
  return {
    signals: {},
    distance: 0,
    score: 0.5,
    because: { text: rest.score ?? 0.5 },
    startLine: line - before.length,
    endLine: endLine + after.length,
    freshness: "current",
    imports: [],
    related: [],
    merged: [],
    ...rest,
    lines: [...before, ...own, ...after],
    item: {
      id,
      source: "code",
      kind,
      name,
      qualifiedName: `${path}::${name}`,
      path,
      startLine: line,
      endLine,
      hash: hashText(text),
      ...item,
    },
    citation: { id: `[${id}]`, itemId: id, path, startLine: line, endLine, hash: hashText(text) },
  };
}

export function requestFor(options: Partial<Request> = {}): Request {
  return requestOf(contextInput.parse({ query: "how are payments processed?", ...options }));
}

export type RecordPiece = Partial<Omit<Enriched, "item" | "lines" | "citation">> & {
  source: "memory" | "experience" | "value" | "commit";
  id: string;
  text: string;
  kind?: Kind;
  item?: Partial<Item>;
};

/** A memory, an experience, a value or a commit made by hand. */
export function recorded({ source, id, text, kind = source, item = {}, ...rest }: RecordPiece): Enriched {
  const record = id.replace(/-(strategy|surprise|root_cause)$/, "");
  const base = evidence({
    ...rest,
    path: `${source}/${record}`,
    text,
    kind,
    name: text.slice(0, 40),
    item: { ...item, id, source },
  });
  return { ...base, citation: { ...base.citation, path: `${source}:${id}` } };
}
