import type { LibraryStore } from "../stores/library.ts";
import { foldName, type Mentionable, meant, mentionable } from "./complete.ts";
import { directoryOf, mentionableIn } from "./directory.ts";
import { findMentions, type Mention } from "./mentions.ts";

export type MentionTarget = Mention & Pick<Mentionable, "kind" | "target" | "label">;

/** What a text mentions of this owner's library; what names nothing is absent, unless it was surely meant: then it is `missing`. */
export async function mentionsIn(
  library: LibraryStore,
  owner: string,
  text: string,
): Promise<{ found: MentionTarget[]; missing: Mention[] }> {
  const mentions = findMentions(text);
  if (mentions.length === 0) return { found: [], missing: [] };
  const documents = mentionableIn(await directoryOf(library, owner));
  const found: MentionTarget[] = [];
  const missing: Mention[] = [];
  for (const mention of mentions.slice(0, mostMentions)) {
    const target = await targetOf(library, owner, mention, documents);
    if (target) found.push({ ...mention, kind: target.kind, target: target.target, label: target.label });
    else if (mention.sure) missing.push(mention);
  }
  return { found, missing };
}

/** A path means a document, if there is one; any other name may as well be a thread's. */
async function targetOf(
  library: LibraryStore,
  owner: string,
  { name, folder }: Mention,
  documents: Mentionable[],
): Promise<Mentionable | undefined> {
  const document = meant(name, folder, documents);
  if (folder || (document && /[./]/.test(name))) return document;
  const threads = await threadsLike(library, owner, name);
  return meant(name, false, document ? [document, ...threads] : threads);
}

/** More in one text are no mentions, but a list of names or an attack. */
const mostMentions = 100;

/** What this owner has that a typed name may become: documents and folders, and of the threads those like it and the newest. */
export async function mentionables(library: LibraryStore, owner: string, typed = ""): Promise<Mentionable[]> {
  const documents = mentionableIn(await directoryOf(library, owner));
  const threads = [...(await threadsLike(library, owner, typed)), ...(await threadsLike(library, owner, ""))];
  return [...documents, ...new Map(threads.map((thread) => [thread.target, thread])).values()];
}

/** Threads that are looked at. */
const mostThreads = 1000;

/** The newest threads whose title has the longest word of a name; the one with this id alone. */
async function threadsLike(library: LibraryStore, owner: string, name: string): Promise<Mentionable[]> {
  const byId = name.startsWith("thr-") ? await library.thread(owner, name) : undefined;
  const words = foldName(name).split("-");
  const query = words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
  const { threads } = byId
    ? { threads: [byId] }
    : await library.threads(owner, { ...(query !== "" && { query }), limit: mostThreads });
  return threads.map(({ id, title, changed }) => mentionable("thread", id, title, changed));
}
