import type { FieldType } from "../../note.ts";
import type { LiveTag } from "./api-responses.ts";
import type { LiveClient } from "./client.ts";
import type { TagSchema } from "./tag-schema.ts";

/** What a note gets from its tags: names of all ancestors, and types of fields by name in lower case. */
export type ByTags = { inherited: string[]; types: Map<string, FieldType> };

/** Runs one request; undefined when it fails. */
type Ask = <Answered>(ask: () => Promise<Answered | undefined>) => Promise<Answered | undefined>;

/** Limit of tags per question, ancestors included. */
const mostAsked = 12;
/** Time to live of a cached schema, milliseconds: schemas change rarely, and every question needs the same ones. */
const lasting = 5 * 60 * 1000;
const mostKnown = 500;

const cache = new Map<string, { schema: TagSchema; until: number }>();

/** The schemas of these tags, cached for a while. The result is undefined for a tag without a schema. */
export async function inheritanceOf(
  client: LiveClient,
  tags: readonly LiveTag[],
  ask: Ask,
  signal: AbortSignal,
  now: number,
): Promise<(tags: readonly LiveTag[]) => ByTags | undefined> {
  const schemas = new Map<string, TagSchema>();
  let waiting = [...new Set(tags.map(({ id }) => id))];
  for (let count = 0; waiting.length > 0 && count < mostAsked; ) {
    const round = waiting.slice(0, mostAsked - count);
    count += round.length;
    const answers = await Promise.all(round.map((id) => schemaOf(client, id, ask, signal, now)));
    for (const [at, schema] of answers.entries()) if (schema) schemas.set(round[at]!, schema);
    const above = answers.flatMap((schema) => schema?.above ?? []).map(({ id }) => id);
    // Tana's own tags inherit from nothing.
    waiting = [...new Set(above)].filter((id) => !schemas.has(id) && !round.includes(id) && !id.startsWith("SYS_"));
  }
  return (applied) => byTags(applied, schemas);
}

async function schemaOf(
  client: LiveClient,
  id: string,
  ask: Ask,
  signal: AbortSignal,
  now: number,
): Promise<TagSchema | undefined> {
  const key = `${client.url} ${id}`;
  const before = cache.get(key);
  if (before && before.until > now) return before.schema;
  const schema = await ask(() => client.tagSchema(id, signal));
  if (!schema) return undefined;
  cache.delete(key);
  cache.set(key, { schema, until: now + lasting });
  for (const oldest of cache.keys()) if (cache.size > mostKnown) cache.delete(oldest);
  return schema;
}

/** The ancestors, each once, the nearest first; cycles are allowed. */
function byTags(applied: readonly LiveTag[], schemas: ReadonlyMap<string, TagSchema>): ByTags | undefined {
  if (applied.length === 0 || !applied.every(({ id }) => schemas.has(id))) return undefined;
  const own = new Set(applied.map(({ name }) => name));
  const inherited = new Set<string>();
  const types: ByTags["types"] = new Map();
  const seen = new Set<string>();
  const waiting = applied.map(({ id }) => id);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const schema = schemas.get(next);
    for (const [name, type] of schema?.types ?? []) if (!types.has(name)) types.set(name, type);
    for (const { id, name } of schema?.above ?? []) {
      if (!own.has(name)) inherited.add(name);
      waiting.push(id);
    }
  }
  return { inherited: [...inherited], types };
}
