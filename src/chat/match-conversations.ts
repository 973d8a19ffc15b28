import { holdsAll, type Identified, isEarlierVersion, isSameConversation, type Stored } from "./message-identity.ts";

type Read = readonly Identified[];
type Thread = readonly Stored[];
/** Numbers of conversations and of threads that belong together, from both sides. */
type Pairs = { threadOf: Map<number, number>; conversationOf: Map<number, number> };

/**
 * For each conversation of a file the number of the thread that it was read into before. A thread is one conversation of the file, not two.
 *
 * They are decided together, as a maximum bipartite matching: of two conversations that begin alike each fits the other's thread too, and
 * if each took the first that fits they could change places and be written again. What needs no writing is matched first: a file
 * that is read again finds, for every conversation, a thread that has all of it.
 */
export function matchConversations(conversations: readonly Read[], threads: readonly Thread[]): (number | undefined)[] {
  const byFirst = new Map<string, number[]>();
  for (const [number, [first]] of threads.entries()) {
    if (first) byFirst.set(first.given, [...(byFirst.get(first.given) ?? []), number]);
  }
  const threadOf = new Map<number, number>();
  for (const fits of [holdsAll, isSameConversation, isEarlierVersion]) {
    const taken = new Set(threadOf.values());
    const open = [...conversations.keys()].filter((conversation) => !threadOf.has(conversation));
    const candidatesOf = (conversation: number): number[] => {
      const read = conversations[conversation]!;
      const candidates = (byFirst.get(read[0]?.given ?? "") ?? []).filter((thread) => !taken.has(thread));
      return candidates.filter((thread) => fits(threads[thread]!, read));
    };
    const distance = (conversation: number, thread: number) =>
      Math.abs(threads[thread]!.length - conversations[conversation]!.length);
    for (const [conversation, thread] of maximumMatching(open, candidatesOf, distance)) {
      threadOf.set(conversation, thread);
    }
  }
  return conversations.map((_, conversation) => threadOf.get(conversation));
}

/** As many pairs as there can be. Of several free threads the one of the closest length is taken. */
function maximumMatching(
  conversations: readonly number[],
  candidatesOf: (conversation: number) => number[],
  distance: (conversation: number, thread: number) => number,
): Map<number, number> {
  const pairs: Pairs = { threadOf: new Map(), conversationOf: new Map() };
  // Threads that a search in vain has passed: no later search finds a way through them.
  const hopeless = new Set<number>();
  for (const start of conversations) {
    const wantedBy = new Map<number, number>();
    const search = [start];
    let found = false;
    // Breadth first: those in the search so far are asked what else they could take. It grows while it is walked through.
    for (const conversation of search) {
      const candidates = candidatesOf(conversation).filter((each) => !wantedBy.has(each) && !hopeless.has(each));
      const free = candidates
        .filter((each) => !pairs.conversationOf.has(each))
        .sort((a, b) => distance(conversation, a) - distance(conversation, b))[0];
      if (free !== undefined) {
        moveUp(pairs, start, conversation, free, wantedBy);
        found = true;
        break;
      }
      for (const thread of candidates) {
        wantedBy.set(thread, conversation);
        search.push(pairs.conversationOf.get(thread)!);
      }
    }
    if (!found) for (const thread of wantedBy.keys()) hopeless.add(thread);
  }
  return pairs.threadOf;
}

/** The last of the search takes the free thread, and leaves its own to the one who wanted it, and so on back to the start. */
function moveUp(pairs: Pairs, start: number, last: number, free: number, wantedBy: Map<number, number>): void {
  for (let conversation = last, thread = free; ; ) {
    const left = pairs.threadOf.get(conversation);
    pairs.threadOf.set(conversation, thread);
    pairs.conversationOf.set(thread, conversation);
    if (conversation === start) return;
    thread = left!;
    conversation = wantedBy.get(thread)!;
  }
}
