import type { LibraryStore } from "../stores/library.ts";
import { foldName, type Mentionable, mentionable, resolveName } from "./complete.ts";
import { directoryOf, mentionableIn } from "./directory.ts";
import { findMentions, type Mention } from "./mentions.ts";

export type MentionTarget = Mention & Pick<Mentionable, "kind" | "target" | "label">;

/**
 * The things in this owner's library that a text mentions. `missing`: mentions that surely are mentions but name
 * nothing; others are dropped.
 */
export async function mentionsIn(
  library: LibraryStore,
  owner: string,
  text: string,
): Promise<{ found: MentionTarget[]; missing: Mention[] }> {
  const mentions = findMentions(text);
  if (mentions.length === 0) return { found: [], missing: [] };
  const documents = mentionableIn(await directoryOf(library, owner));
  const targets: MentionTarget[] = [];
  const missing: Mention[] = [];
  for (const mention of mentions.slice(0, mostMentions)) {
    const target = await targetOf(library, owner, mention, documents);
    if (target) targets.push({ ...mention, kind: target.kind, target: target.target, label: target.label });
    else if (mention.sure) missing.push(mention);
  }
  return { found: targets, missing };
}

/** A path means a document, if there is one; any other name may as well be a thread's. */
async function targetOf(
  library: LibraryStore,
  owner: string,
  { name, folder }: Mention,
  documents: Mentionable[],
): Promise<Mentionable | undefined> {
  const document = resolveName(name, folder, documents);
  if (folder || (document && /[./]/.test(name))) return document;
  const threads = await threadsLike(library, owner, name);
  return resolveName(name, false, document ? [document, ...threads] : threads);
}

/** Limit per text: more are a list of names, or an attack. */
const mostMentions = 100;

/**
 * Everything of this owner that a typed name may complete to: documents, folders, and the threads that are similar or
 * newest.
 */
export async function mentionables(library: LibraryStore, owner: string, typed = ""): Promise<Mentionable[]> {
  const documents = mentionableIn(await directoryOf(library, owner));
  const threads = [...(await threadsLike(library, owner, typed)), ...(await threadsLike(library, owner, ""))];
  return [...documents, ...new Map(threads.map((thread) => [thread.target, thread])).values()];
}

/** Limit of threads that are compared. */
const mostThreads = 1000;

/** The newest threads whose title contains the longest word of the name; for a thread id, that thread alone. */
async function threadsLike(library: LibraryStore, owner: string, name: string): Promise<Mentionable[]> {
  const byId = name.startsWith("thr-") ? await library.thread(owner, name) : undefined;
  const words = foldName(name).split("-");
  const query = words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
  const { threads } = byId
    ? { threads: [byId] }
    : await library.threads(owner, { ...(query !== "" && { query }), limit: mostThreads });
  return threads.map(({ id, title, changed }) => mentionable("thread", id, title, changed));
}
