import type { FieldType } from "../../note.ts";
import type { LiveClient } from "./client.ts";
import type { LiveTag } from "./shapes.ts";
import type { TagSchema } from "./tag-schema.ts";

/** What a note has by its tags: names of all that they inherit from, and types of fields by name in lower case. */
export type ByTags = { inherited: string[]; types: Map<string, FieldType> };

/** Asks for one thing; undefined for what fails. */
type Ask = <Answered>(ask: () => Promise<Answered | undefined>) => Promise<Answered | undefined>;

/** Tags that one question asks about, those that they inherit from included. */
const mostAsked = 12;
/** Milliseconds for which an answer is good: schemas change seldom, and every question asks for the same ones. */
const lasting = 5 * 60 * 1000;
const mostKnown = 500;

const known = new Map<string, { schema: TagSchema; until: number }>();

/** What the API says of these tags, asked once in a while. `undefined` for a tag about which it does not say anything. */
export async function inheritanceOf(
  client: LiveClient,
  tags: readonly LiveTag[],
  ask: Ask,
  signal: AbortSignal,
  now: number,
): Promise<(tags: readonly LiveTag[]) => ByTags | undefined> {
  const schemas = new Map<string, TagSchema>();
  let waiting = [...new Set(tags.map(({ id }) => id))];
  for (let asked = 0; waiting.length > 0 && asked < mostAsked; ) {
    const round = waiting.slice(0, mostAsked - asked);
    asked += round.length;
    const told = await Promise.all(round.map((id) => schemaOf(client, id, ask, signal, now)));
    for (const [at, schema] of told.entries()) if (schema) schemas.set(round[at]!, schema);
    const above = told.flatMap((schema) => schema?.above ?? []).map(({ id }) => id);
    // What Tana itself defines inherits from nothing.
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
  const before = known.get(key);
  if (before && before.until > now) return before.schema;
  const schema = await ask(() => client.tagSchema(id, signal));
  if (!schema) return undefined;
  known.delete(key);
  known.set(key, { schema, until: now + lasting });
  for (const oldest of known.keys()) if (known.size > mostKnown) known.delete(oldest);
  return schema;
}

/** In a circle or not, each once, the nearest first. */
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
