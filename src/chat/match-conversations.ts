import { holdsAll, type Identified, isEarlierVersion, isSameConversation, type Stored } from "./message-identity.ts";

type Read = readonly Identified[];
type Thread = readonly Stored[];
/** Numbers of conversations and of threads that belong together, from both sides. */
type Pairs = { threadOf: Map<number, number>; conversationOf: Map<number, number> };

/**
 * For each conversation of a file, the number of the thread that it was imported into before. Each thread belongs to
 * one conversation. All pairs are decided together, as a maximum bipartite matching: of two conversations with the same
 * beginning each fits the other's thread too, and a greedy choice could swap them and write both again. Pairs that need
 * no writing are matched first, so that a file that is imported again changes nothing.
 */
export function matchConversations(conversations: readonly Read[], threads: readonly Thread[]): (number | undefined)[] {
  const byFirst = new Map<string, number[]>();
  for (const [number, [first]] of threads.entries()) {
    if (first) byFirst.set(first.given, [...(byFirst.get(first.given) ?? []), number]);
  }
  const threadOf = new Map<number, number>();
  for (const fits of [holdsAll, isSameConversation, isEarlierVersion]) {
    const takenThreads = new Set(threadOf.values());
    const open = [...conversations.keys()].filter((conversation) => !threadOf.has(conversation));
    const candidatesOf = (conversation: number): number[] => {
      const messages = conversations[conversation]!;
      const candidates = (byFirst.get(messages[0]?.given ?? "") ?? []).filter((thread) => !takenThreads.has(thread));
      return candidates.filter((thread) => fits(threads[thread]!, messages));
    };
    const distance = (conversation: number, thread: number) =>
      Math.abs(threads[thread]!.length - conversations[conversation]!.length);
    for (const [conversation, thread] of maximumMatching(open, candidatesOf, distance)) {
      threadOf.set(conversation, thread);
    }
  }
  return conversations.map((_, conversation) => threadOf.get(conversation));
}

/** A matching of maximum size. Among free threads the one of the closest length is taken. */
function maximumMatching(
  conversations: readonly number[],
  candidatesOf: (conversation: number) => number[],
  distance: (conversation: number, thread: number) => number,
): Map<number, number> {
  const pairs: Pairs = { threadOf: new Map(), conversationOf: new Map() };
  // Threads of a failed search: no later augmenting path leads through them.
  const deadEnds = new Set<number>();
  for (const start of conversations) {
    const reachedFrom = new Map<number, number>();
    const search = [start];
    let matched = false;
    // Breadth first search for a free thread; the list grows while it is walked.
    for (const conversation of search) {
      const candidates = candidatesOf(conversation).filter((each) => !reachedFrom.has(each) && !deadEnds.has(each));
      const free = candidates
        .filter((each) => !pairs.conversationOf.has(each))
        .sort((a, b) => distance(conversation, a) - distance(conversation, b))[0];
      if (free !== undefined) {
        augment(pairs, start, conversation, free, reachedFrom);
        matched = true;
        break;
      }
      for (const thread of candidates) {
        reachedFrom.set(thread, conversation);
        search.push(pairs.conversationOf.get(thread)!);
      }
    }
    if (!matched) for (const thread of reachedFrom.keys()) deadEnds.add(thread);
  }
  return pairs.threadOf;
}

/**
 * Flips the augmenting path: the last conversation takes the free thread and passes its own to the one it was reached
 * from, back to the start.
 */
function augment(pairs: Pairs, start: number, last: number, free: number, reachedFrom: Map<number, number>): void {
  for (let conversation = last, thread = free; ; ) {
    const previous = pairs.threadOf.get(conversation);
    pairs.threadOf.set(conversation, thread);
    pairs.conversationOf.set(thread, conversation);
    if (conversation === start) return;
    thread = previous!;
    conversation = reachedFrom.get(thread)!;
  }
}
