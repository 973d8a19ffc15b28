import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { lineAndColumn, readJson } from "../../text/json/parse-json.ts";

/** An earlier result of any operation: its settings, and its items in order. */
export type Result = {
  shape: Shape;
  settings: Record<string, string | number>;
  entries: ComparedItem[];
  /** Why something that was found is not shown, by id. */
  leftOut: Map<string, string>;
};

export type ComparedItem = { id: string; name: string; level?: string; score?: number; text: string };

/** A phrase for each kind of result, for sentences. */
export const shapes = {
  context: "a result of dossier context --json",
  notes: "a document of a notes graph",
  briefing: "a briefing of dossier brief or premortem",
  code: "a result of dossier code",
  document: "a document of --format json",
} as const;
type Shape = keyof typeof shapes;

const text = z.string().default("");
const optionalText = z.string().optional();
const optionalNumber = z.number().optional();
const leftOut = z.array(z.object({ id: z.string(), reason: z.string() })).default([]);
const use = z.object({ budget: optionalNumber, used: optionalNumber }).default({});
const identity = { id: z.string(), name: text };

const note = z.object({ ...identity, tags: z.array(z.string()).default([]), score: optionalNumber });

const readers: Record<Shape, (value: unknown) => Omit<Result, "shape">> = {
  context: reader(
    z.object({
      query: optionalText,
      recipe: optionalText,
      format: optionalText,
      tokens: use,
      header: z.object({ lens: optionalText, workspace: optionalText, backend: optionalText }).default({}),
      items: z.array(z.object({ ...identity, qualifiedName: text, level: optionalText, score: optionalNumber, text })),
      dropped: leftOut,
    }),
    ({ query, recipe, format, tokens, header, items, dropped }) => ({
      settings: { query, recipe, format, ...settingsOf(header), budget: tokens.budget, tokens: tokens.used },
      entries: items.map(({ qualifiedName, name, ...item }) => ({ ...item, name: qualifiedName || name })),
      dropped,
    }),
  ),
  notes: reader(
    z.object({
      meta: z.object({
        query: optionalText,
        workspace: optionalText,
        lens: optionalText,
        backend: optionalText,
        tokens: use,
      }),
      nodes: z.array(
        note.extend({
          content: text,
          fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
        }),
      ),
      overflow: z.array(note).default([]),
    }),
    ({ meta: { tokens, ...meta }, nodes, overflow }) => ({
      settings: { ...settingsOf(meta), budget: tokens.budget, tokens: tokens.used },
      entries: [
        ...nodes.map(({ content, tags, fields, ...node }) => ({
          ...node,
          level: "shown",
          text: [
            content,
            ...tags.map((tag) => `#${tag}`),
            ...Object.entries(fields).map(([name, value]) => `${name}: ${[value].flat().join(", ")}`),
          ].join("\n"),
        })),
        // A pointer has no text that could differ.
        ...overflow.map(({ id, name, score }) => ({ id, name, score, level: "named only", text: "" })),
      ],
      dropped: [],
    }),
  ),
  briefing: reader(
    z.object({
      items: z.array(z.object({ id: z.string(), content: text, relevance: optionalNumber, level: optionalText })),
      token_count: optionalNumber,
      tokens: use,
      dropped: leftOut,
    }),
    ({ items, token_count, tokens, dropped }) => ({
      settings: { budget: tokens.budget, tokens: token_count ?? tokens.used },
      entries: items.map(({ id, content, relevance, level }) => ({
        ...{ id, level, score: relevance, text: content },
        name: firstLine(content),
      })),
      dropped,
    }),
  ),
  code: reader(
    z.object({
      query: optionalText,
      tokenCount: optionalNumber,
      results: z.array(z.object({ codePreview: text }).default({ codePreview: "" })),
      sources: z.array(z.object({ entityId: z.string(), name: text, file: text, relevance: optionalNumber })),
    }),
    ({ query, tokenCount, results, sources }) => ({
      settings: { query, tokens: tokenCount },
      entries: sources.map(({ entityId, name, file, relevance }, at) => ({
        ...{ id: entityId, score: relevance, text: results[at]?.codePreview ?? "" },
        name: [file, name].filter(Boolean).join("::"),
      })),
      dropped: [],
    }),
  ),
  document: reader(
    z.object({
      items: z.preprocess(
        withoutFiles,
        z.array(
          z.object({ ...identity, in: text, path: text, level: optionalText, score: optionalNumber, code: text, text }),
        ),
      ),
    }),
    ({ items }) => ({
      settings: {},
      entries: items.map(({ id, name, in: scope, path, level, score, code, text }) => ({
        ...{ id, level, score, text: code || text },
        name: [path, scope, name || firstLine(text)].filter(Boolean).join("::"),
      })),
      dropped: [],
    }),
  ),
};

/** The items of a document in order: in the layout of files, each file holds its own as spans. */
function withoutFiles(items: unknown): unknown {
  if (!Array.isArray(items)) return items;
  return items.flatMap((item: unknown) => {
    const { path, spans } = (item ?? {}) as { path?: unknown; spans?: unknown };
    return Array.isArray(spans) ? spans.map((span: object) => ({ level: "full", ...span, path })) : [item];
  });
}

type Read = {
  settings: Record<string, string | number | undefined>;
  entries: (Omit<ComparedItem, "level" | "score"> & { level?: string | undefined; score?: number | undefined })[];
  dropped: { id: string; reason: string }[];
};

function reader<Schema extends z.ZodType>(schema: Schema, read: (value: z.output<Schema>) => Read) {
  return (value: unknown) => {
    const { settings, entries, dropped } = read(schema.parse(value));
    return {
      settings: settingsOf(settings),
      entries: entries as ComparedItem[],
      leftOut: new Map(dropped.map(({ id, reason }) => [id, reason])),
    };
  };
}

function settingsOf(settings: Record<string, string | number | undefined>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Record<
    string,
    string | number
  >;
}

/** A result as it was printed. `which` begins the sentence of what is wrong with it: "The first file". */
export function readResult(json: string, which: string): Result {
  const value = parse(json, which);
  const shape = shapeOf(value);
  if (!shape)
    throw new DossierError("bad-input", `${which} is no result that can be compared: it is ${shapeWords(value)}.`);
  try {
    return { shape, ...readers[shape](value) };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const { path, message } = error.issues[0]!;
    throw new DossierError(
      "bad-input",
      `${which} seems to be ${shapes[shape]}, but ${path.join(".")} is wrong: ${message}.`,
    );
  }
}

function parse(json: string, which: string): unknown {
  if (json.trim() === "") throw new DossierError("bad-input", `${which} is empty.`);
  try {
    return JSON.parse(json.replace(/^\ufeff/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const read = readJson(json);
    const place = "fault" in read ? lineAndColumn(json, read.fault.offset) : undefined;
    const where = place && "fault" in read ? `, line ${place.line}, column ${place.column}: it ${read.fault.what}` : "";
    throw new DossierError("bad-input", `${which} is not JSON${where}.`, { cause: error });
  }
}

function shapeOf(value: unknown): Shape | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { items, nodes, meta, recipe, markdown, context, results, sources } = value as Record<string, unknown>;
  if (Array.isArray(nodes) && typeof meta === "object" && meta !== null) return "notes";
  if (Array.isArray(items)) {
    if (typeof recipe === "string") return "context";
    return typeof markdown === "string" ? "briefing" : "document";
  }
  return typeof context === "string" && Array.isArray(results) && Array.isArray(sources) ? "code" : undefined;
}

const mostKeys = 6;

function shapeWords(value: unknown): string {
  if (value === null || typeof value !== "object") return value === null ? "null" : `a ${typeof value}`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return "an object without keys";
  const more = keys.length > mostKeys ? " and more" : "";
  return `an object with ${keys
    .slice(0, mostKeys)
    .map((key) => key.slice(0, 40))
    .join(", ")}${more}`;
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0] ?? "";
}
