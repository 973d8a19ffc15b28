import { DossierError } from "../../errors.ts";
import type { Note } from "../../note.ts";
import { withSafeLinks } from "../readers/reader.ts";
import { deleted } from "../readers/tana-names.ts";
import type { LiveClient } from "./client.ts";
import { type ByTags, inheritanceOf } from "./inheritance.ts";
import { isSameNote, type MergedAnswers, mergeNote, tell } from "./merge.ts";
import { parentsOf } from "./parents.ts";
import { isNodeId, type LiveHit } from "./shapes.ts";
import { type Answers, isNoteHit, type NodeAnswer, readAnswers, toldByHit } from "./told.ts";
import { isEnough, rankHits, searchesFor, topicWords } from "./topic.ts";

export type LiveRequest = {
  /** A topic or a node id. */
  query: string;
  /** What the index has by key: notes of this origin. */
  known(keys: string[]): Promise<Map<string, Note>>;
  /** Keys of notes that are worth asking about too: the best ones that local data has. */
  also?: readonly string[];
  /** When this was last asked, milliseconds: what was edited after it is brought in. */
  since?: number;
  /** The time by which `Today` is meant; without it such words stay. */
  now?: number;
  /** Milliseconds for all of it; what is there by then is used. */
  deadline?: number;
  signal?: AbortSignal;
};

export type LiveAnswer = {
  /** Notes that are new or differ from what is known, as they are now. */
  notes: Note[];
  /** Keys of known notes that no longer exist or are in the trash. */
  gone: string[];
  /** Keys of what the API found for the query, best first. */
  found: string[];
  /** Whether all that was edited since is told: if not, the next question should ask since the same moment again. */
  caughtUp: boolean;
  /** HTTP requests. */
  asked: number;
  warnings: string[];
};

const usualDeadline = 4000;
/** Nodes that are read with their fields and children: two requests each. */
const mostRead = 20;
/** Of these, how many are there for the query; the others are for what was edited. */
const mostForQuery = 14;
const mostEdited = 100;
/** Deep enough for values that stand below their field. */
const outlineDepth = 2;

/**
 * What the live API knows about a question, merged with what is known of it here. Never fails because of the API: what it does not answer
 * in time, or not sensibly, is a warning and stays as local data has it. Throws only for the caller's signal.
 */
export async function liveNotes(client: LiveClient, request: LiveRequest): Promise<LiveAnswer> {
  const before = client.asked();
  const attempts = openAttempts(client, request);
  const gone = new Set<string>();
  const answers = await askAll(client, request, attempts, gone);
  const { notes, missing, found } = await mergeAnswers(answers, gone, request, (known) =>
    furtherOf(client, answers, known, attempts, request),
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

/** `best`: ids of what is there for the query, best first. */
type Found = Answers & { best: string[]; caughtUp: boolean; warnings: string[] };

async function askAll(client: LiveClient, request: LiveRequest, attempts: Attempts, gone: Set<string>): Promise<Found> {
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
  const usable = (hit: LiveHit) => !hit.inTrash && isNoteHit(hit);
  const ranked = forQuery.hits.filter(usable);
  const changed = (edited ?? []).filter(usable);
  const asked = [forQuery.node?.id ?? []].flat().filter((id) => !hits.has(id) || usable(hits.get(id)!));
  const best = [...new Set([...asked, ...ranked.map(({ id }) => id)])];
  const edits = changed.map(({ id }) => id);
  const ids = attempts.stopped() ? [] : toRead([...best, ...also.filter(isNodeId)], edits, gone);
  const read = await Promise.all(
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
  const answered = read.filter((answer) => answer !== undefined);
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

function editedWarnings(told: number, changed: number, unread: number): string[] {
  if (told >= mostEdited) {
    return [
      `At least ${mostEdited} notes were edited in Tana since it was last asked; import them anew to have all of them.`,
    ];
  }
  if (unread === 0) return [];
  return [
    `Of ${unread} of the ${changed} notes that were edited in Tana since it was last asked, only names and tags are new here.`,
  ];
}

/** What is asked for once it is known what the index does not know: who owns what was found, and what tags inherit from. */
type Further = { parents: Map<string, LiveHit>; byTags(hit: LiveHit): ByTags | undefined };

async function furtherOf(
  client: LiveClient,
  { read, found }: Answers,
  known: ReadonlyMap<string, Note>,
  { run, signal, stopped }: Attempts,
  { now = 0 }: LiveRequest,
): Promise<Further> {
  if (stopped()) return { parents: new Map(), byTags: () => undefined };
  const hits = [...new Map([...read.flatMap(({ hit }) => hit ?? []), ...found].map((hit) => [hit.id, hit])).values()];
  const all = [...hits, ...read.flatMap(({ children }) => children?.children ?? [])];
  const hasParent = (id: string) => known.get(id)?.parent !== undefined;
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

/** The API counts in seconds, and from 1. An edit within the same second is asked for once more. */
function seconds(milliseconds: number): number {
  return Math.max(1, Math.floor(milliseconds / 1000));
}

type ForQuery = { hits: LiveHit[]; node?: Pick<NodeAnswer, "id" | "node"> };

/** A node with this id, or nodes whose names say the topic. Whether a word is an id is known by asking for it. */
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
    // Only a search tells tags, and whether it is in the trash.
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

/** Most of the places are for the query; what it leaves goes to what was edited, and the other way round. */
function toRead(forQuery: string[], edited: string[], gone: ReadonlySet<string>): string[] {
  const first = forQuery.slice(0, mostForQuery);
  const all = [...first, ...edited.slice(0, mostRead - mostForQuery), ...forQuery.slice(mostForQuery), ...edited];
  return [...new Set(all)].filter((id) => !gone.has(id)).slice(0, mostRead);
}

async function mergeAnswers(
  answers: Found,
  gone: ReadonlySet<string>,
  { known, now }: LiveRequest,
  further: (known: ReadonlyMap<string, Note>) => Promise<Further>,
): Promise<{ notes: Note[]; missing: string[]; found: string[] }> {
  // Read twice: only the first reading tells which names are needed.
  const mentioned = new Set<string>(gone);
  const first = readAnswers(answers, new Map(), (id) => void mentioned.add(id));
  const before = await known([...new Set([...first.keys(), ...mentioned])]);
  const nameOf = (id: string) => (gone.has(id) ? deleted : (first.get(id)?.name ?? before.get(id)?.name) || undefined);
  const told = readAnswers(answers, before, nameOf, first);
  tellFurther(told, answers, await further(before), nameOf);
  const notes: Note[] = [];
  for (const [key, each] of told) {
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

/** Adds owners, what tags inherit from, and the types of fields, to what was told. */
function tellFurther(
  told: Map<string, MergedAnswers>,
  { read, found }: Answers,
  { parents, byTags }: Further,
  nameOf: (id: string) => string | undefined,
): void {
  for (const [id, owner] of parents) {
    const each = told.get(id);
    if (each?.parent !== undefined) continue;
    tell(told, toldByHit(owner, nameOf));
    tell(told, { key: id, parent: owner.id });
  }
  const hits = [
    ...found,
    ...read.flatMap(({ hit, children }) => [...(hit ? [hit] : []), ...(children?.children ?? [])]),
  ];
  for (const hit of hits) {
    const each = told.get(hit.id);
    const tagged = each && byTags(hit);
    if (!tagged) continue;
    // A tag of which it says nothing above it may still have something there: what is known stays.
    if (tagged.inherited.length > 0) each.inherited = tagged.inherited;
    each.fields = each.fields?.map((field) => {
      const type = field.type ?? tagged.types.get(field.name.toLowerCase());
      return type === undefined ? field : { ...field, type };
    });
  }
}

type Attempts = {
  /** For every request: the caller's, or that time is up. */
  readonly signal: AbortSignal;
  /** The answer, or undefined for a failure that is remembered. `absent`: what to do when the API says that there is none. */
  run<Answered>(ask: () => Promise<Answered | undefined>, absent?: () => void): Promise<Answered | undefined>;
  /** Nothing more is worth asking. */
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
