import { DossierError } from "../../errors.ts";
import type { Note } from "../../note.ts";
import { withSafeLinks } from "../readers/reader.ts";
import { deleted } from "../readers/tana/names.ts";
import { isNodeId, type LiveHit } from "./api-responses.ts";
import type { LiveClient } from "./client.ts";
import { type ByTags, inheritanceOf } from "./inheritance.ts";
import { addUpdate, isSameNote, mergeNote, type NoteUpdate } from "./merge.ts";
import { parentsOf } from "./parents.ts";
import { type Answers, isNoteHit, type NodeAnswer, readAnswers, updateFromHit } from "./read-answers.ts";
import { isEnough, rankHits, searchesFor, topicWords } from "./topic.ts";

export type LiveRequest = {
  /** A topic or a node id. */
  query: string;
  /** Looks up stored notes of this origin by key. */
  lookUp(keys: string[]): Promise<Map<string, Note>>;
  /** Keys of further notes worth asking about: the best local results. */
  also?: readonly string[];
  /** When the API was last asked, milliseconds: later edits are fetched. */
  since?: number;
  /** The time for which `Today` is resolved; without it such words stay. */
  now?: number;
  /** Time limit for everything, milliseconds; answers until then are used. */
  deadline?: number;
  signal?: AbortSignal;
};

export type LiveAnswer = {
  /** Notes that are new or differ from the stored ones, in their current state. */
  notes: Note[];
  /** Keys of stored notes that no longer exist or are in the trash. */
  gone: string[];
  /** Keys of the API's results for the query, best first. */
  found: string[];
  /** Whether all edits since then were returned: if not, the next question must ask since the same time again. */
  caughtUp: boolean;
  /** HTTP requests. */
  asked: number;
  warnings: string[];
};

const usualDeadline = 4000;
/** Limit of nodes that are read with fields and children: two requests each. */
const mostRead = 20;
/** How many of these are for the query; the others are for edited nodes. */
const mostForQuery = 14;
const mostEdited = 100;
/** Deep enough for values below their field. */
const outlineDepth = 2;

/**
 * What the live API has about a question, merged with the stored notes. Never fails because of the API: a late or
 * invalid answer is a warning, and the stored note is used. Throws only for the caller's signal.
 */
export async function liveNotes(client: LiveClient, request: LiveRequest): Promise<LiveAnswer> {
  const before = client.asked();
  const attempts = openAttempts(client, request);
  const gone = new Set<string>();
  const answers = await askAll(client, request, attempts, gone);
  const { notes, missing, found } = await mergeAnswers(answers, gone, request, (stored) =>
    furtherOf(client, answers, stored, attempts, request),
  );
  return {
    notes,
    gone: missing,
    found,
    caughtUp: answers.caughtUp,
    asked: client.asked() - before,
    warnings: [...attempts.warnings(), ...answers.warnings],
  };
}

/** `best`: ids of the results for the query, best first. */
type RankedAnswers = Answers & { best: string[]; caughtUp: boolean; warnings: string[] };

async function askAll(
  client: LiveClient,
  request: LiveRequest,
  attempts: Attempts,
  gone: Set<string>,
): Promise<RankedAnswers> {
  const { query, since, also = [] } = request;
  const { signal } = attempts;
  const [forQuery, edited] = await Promise.all([
    findForQuery(client, query, attempts, gone),
    since === undefined
      ? undefined
      : attempts.run(() => client.search({ edited: { since: seconds(since) } }, { limit: mostEdited, signal })),
  ]);
  const hits = new Map([...(edited ?? []), ...forQuery.hits].map((hit) => [hit.id, hit]));
  for (const { id, inTrash } of hits.values()) if (inTrash) gone.add(id);
  const isUsable = (hit: LiveHit) => !hit.inTrash && isNoteHit(hit);
  const ranked = forQuery.hits.filter(isUsable);
  const changed = (edited ?? []).filter(isUsable);
  const byId = [forQuery.node?.id ?? []].flat().filter((id) => !hits.has(id) || isUsable(hits.get(id)!));
  const best = [...new Set([...byId, ...ranked.map(({ id }) => id)])];
  const edits = changed.map(({ id }) => id);
  const ids = attempts.stopped() ? [] : toRead([...best, ...also.filter(isNodeId)], edits, gone);
  const results = await Promise.all(
    ids.map(async (id): Promise<NodeAnswer | undefined> => {
      const [node, children] = await Promise.all([
        forQuery.node?.id === id
          ? forQuery.node.node
          : attempts.run(
              () => client.node(id, { depth: outlineDepth, signal }),
              () => gone.add(id),
            ),
        attempts.run(() => client.children(id, { signal })),
      ]);
      return node && { id, hit: hits.get(id), node, children };
    }),
  );
  const answered = results.filter((answer) => answer !== undefined);
  for (const { children } of answered)
    for (const { id, inTrash } of children?.children ?? []) if (inTrash) gone.add(id);
  const unread = changed.filter(({ id }) => !answered.some((answer) => answer.id === id)).length;
  return {
    read: answered,
    found: [...ranked, ...changed],
    best,
    caughtUp: since === undefined || (edited !== undefined && edited.length < mostEdited),
    ...(since === undefined ? {} : { edited: { ids: new Set(edits), since } }),
    warnings: editedWarnings(edited?.length ?? 0, changed.length, unread),
  };
}

function editedWarnings(editedCount: number, changed: number, unread: number): string[] {
  if (editedCount >= mostEdited) {
    return [
      `At least ${mostEdited} notes were edited in Tana since it was last asked; import them anew to have all of them.`,
    ];
  }
  if (unread === 0) return [];
  return [
    `Of ${unread} of the ${changed} notes that were edited in Tana since it was last asked, only names and tags are new here.`,
  ];
}

/** What is asked after the look-up of stored notes: unknown parents of the results, and what tags inherit. */
type Further = { parents: Map<string, LiveHit>; byTags(hit: LiveHit): ByTags | undefined };

async function furtherOf(
  client: LiveClient,
  { read, found }: Answers,
  stored: ReadonlyMap<string, Note>,
  { run, signal, stopped }: Attempts,
  { now = 0 }: LiveRequest,
): Promise<Further> {
  if (stopped()) return { parents: new Map(), byTags: () => undefined };
  const hits = [...new Map([...read.flatMap(({ hit }) => hit ?? []), ...found].map((hit) => [hit.id, hit])).values()];
  const all = [...hits, ...read.flatMap(({ children }) => children?.children ?? [])];
  const hasParent = (id: string) => stored.get(id)?.parent !== undefined;
  const [parents, of] = await Promise.all([
    parentsOf(client, hits.slice(0, mostRead), hasParent, run, signal),
    inheritanceOf(
      client,
      all.flatMap(({ tagged }) => tagged),
      run,
      signal,
      now,
    ),
  ]);
  return { parents, byTags: ({ tagged }) => of(tagged) };
}

/** The API counts whole seconds, from 1. Edits within the same second are fetched once more. */
function seconds(milliseconds: number): number {
  return Math.max(1, Math.floor(milliseconds / 1000));
}

type ForQuery = { hits: LiveHit[]; node?: Pick<NodeAnswer, "id" | "node"> };

/** The node with this id, or nodes whose names match the topic. Whether a word is an id is found out by asking. */
async function findForQuery(
  client: LiveClient,
  query: string,
  attempts: Attempts,
  gone: Set<string>,
): Promise<ForQuery> {
  const { signal } = attempts;
  const id = query.trim();
  const look = () => client.node(id, { depth: outlineDepth, signal });
  const node = isNodeId(id) ? await attempts.run(look, () => gone.add(id)) : undefined;
  if (attempts.stopped()) return { hits: [] };
  if (node) {
    // Only a search returns tags, and whether the node is in the trash.
    const words = topicWords(node.name ?? "");
    const search = searchesFor(words);
    const hits = search ? await attempts.run(() => client.search(search.strict, { signal })) : undefined;
    return { hits: (hits ?? []).filter((hit) => hit.id === id), node: { id, node } };
  }
  const words = topicWords(query);
  const searches = searchesFor(words);
  if (!searches) return { hits: [] };
  const { strict, lenient } = searches;
  const all = (await attempts.run(() => client.search(strict, { signal }))) ?? [];
  const some =
    lenient && !isEnough(all) && !attempts.stopped()
      ? await attempts.run(() => client.search(lenient, { signal }))
      : [];
  const unique = new Map([...all, ...(some ?? [])].map((hit) => [hit.id, hit]));
  return { hits: rankHits([...unique.values()], query, words) };
}

/** Most reads are for the query; unused ones go to edited nodes, and the other way round. */
function toRead(forQuery: string[], edited: string[], gone: ReadonlySet<string>): string[] {
  const first = forQuery.slice(0, mostForQuery);
  const all = [...first, ...edited.slice(0, mostRead - mostForQuery), ...forQuery.slice(mostForQuery), ...edited];
  return [...new Set(all)].filter((id) => !gone.has(id)).slice(0, mostRead);
}

async function mergeAnswers(
  answers: RankedAnswers,
  gone: ReadonlySet<string>,
  { lookUp, now }: LiveRequest,
  further: (stored: ReadonlyMap<string, Note>) => Promise<Further>,
): Promise<{ notes: Note[]; missing: string[]; found: string[] }> {
  // Read twice: the first pass only collects which names are needed.
  const mentioned = new Set<string>(gone);
  const first = readAnswers(answers, new Map(), (id) => void mentioned.add(id));
  const before = await lookUp([...new Set([...first.keys(), ...mentioned])]);
  const nameOf = (id: string) => (gone.has(id) ? deleted : (first.get(id)?.name ?? before.get(id)?.name) || undefined);
  const updates = readAnswers(answers, before, nameOf, first);
  addFurther(updates, answers, await further(before), nameOf);
  const notes: Note[] = [];
  for (const [key, each] of updates) {
    const note = before.get(key);
    const merged = withSafeLinks(mergeNote(note, each, now));
    if (!gone.has(key) && !(note && isSameNote(note, merged))) notes.push(merged);
  }
  return {
    notes,
    missing: [...gone].filter((key) => before.has(key)),
    found: answers.best,
  };
}

/** Adds parents, inherited tags and types of fields to the updates. */
function addFurther(
  updates: Map<string, NoteUpdate>,
  { read, found }: Answers,
  { parents, byTags }: Further,
  nameOf: (id: string) => string | undefined,
): void {
  for (const [id, owner] of parents) {
    const each = updates.get(id);
    if (each?.parent !== undefined) continue;
    addUpdate(updates, updateFromHit(owner, nameOf));
    addUpdate(updates, { key: id, parent: owner.id });
  }
  const hits = [
    ...found,
    ...read.flatMap(({ hit, children }) => [...(hit ? [hit] : []), ...(children?.children ?? [])]),
  ];
  for (const hit of hits) {
    const each = updates.get(hit.id);
    const inheritedByTags = each && byTags(hit);
    if (!inheritedByTags) continue;
    // A tag without ancestors in the answer may still have some: the stored ones stay.
    if (inheritedByTags.inherited.length > 0) each.inherited = inheritedByTags.inherited;
    each.fields = each.fields?.map((field) => {
      const type = field.type ?? inheritedByTags.types.get(field.name.toLowerCase());
      return type === undefined ? field : { ...field, type };
    });
  }
}

type Attempts = {
  /** Signal of every request: the caller's, or the time limit. */
  readonly signal: AbortSignal;
  /**
   * The answer, or undefined after a failure, which is recorded. `absent`: called when the API says that it does not
   * exist.
   */
  run<Answered>(ask: () => Promise<Answered | undefined>, absent?: () => void): Promise<Answered | undefined>;
  /** True when further requests are pointless. */
  stopped(): boolean;
  warnings(): string[];
};

function openAttempts(client: LiveClient, { signal, deadline = usualDeadline }: LiveRequest): Attempts {
  const late = AbortSignal.timeout(deadline);
  const failures: DossierError[] = [];
  let answered = 0;
  let isCut = false;
  return {
    signal: signal ? AbortSignal.any([signal, late]) : late,
    async run(ask, absent) {
      try {
        const answer = await ask();
        answered++;
        if (answer === undefined) absent?.();
        return answer;
      } catch (error) {
        if (signal?.aborted || !(error instanceof DossierError)) throw error;
        if (late.aborted) isCut = true;
        else failures.push(error);
        return undefined;
      }
    },
    stopped: () =>
      isCut || failures.some(({ code }) => code === "live-refused") || (failures.length > 0 && answered === 0),
    warnings() {
      const rest = answered === 0 ? "Local data is used." : "What it did not answer is as local data has it.";
      if (isCut)
        return [`Tana's Local API at ${client.url} did not answer everything within ${deadline / 1000} s. ${rest}`];
      const worst = failures.find(({ code }) => code === "live-refused") ?? failures[0];
      return worst ? [`${worst.message} ${rest}`] : [];
    },
  };
}
