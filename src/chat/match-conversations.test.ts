import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchConversations } from "./match-conversations.ts";
import { holdsAll, type Identified, type Stored } from "./message-identity.ts";

/** "1a@5": the id 1, the content a, the time 5. */
function read(...messages: string[]): Identified[] {
  return messages.map((message) => {
    const [, given, content, at] = /^(\d+)(\w)(?:@(\d+))?$/.exec(message)!;
    return { role: "user", blocks: [], given: given!, content: content!, ...(at !== undefined && { at: Number(at) }) };
  });
}

/** What is stored of it: messages without a time have got one. */
function stored(messages: readonly Identified[], now = 9): Stored[] {
  return messages.map(({ given, content, at = now }) => ({ given, content, at }));
}

describe("a conversation that is read again", () => {
  it("is matched to its own thread when another one goes on after it", () => {
    const [short, long] = [read("1a"), read("1a", "2b")];
    expect(matchConversations([short, long], [stored(long), stored(short)])).toEqual([1, 0]);
    expect(matchConversations([long, short], [stored(long), stored(short)])).toEqual([0, 1]);
  });

  it("leaves a thread that it fits to the one that fits no other", () => {
    const [untimed, timed] = [read("1a"), read("1a@5")];
    expect(matchConversations([untimed, timed], [stored(timed), stored(untimed)])).toEqual([1, 0]);
    const [begun, other, ended] = [read("1a"), read("1a", "2c"), read("1a", "2b")];
    expect(matchConversations([begun, ended], [stored(ended), stored(other)])).toEqual([1, 0]);
  });

  it("is found when it has grown, when it is only the beginning, and when a unique id says something else", () => {
    const thread = stored(read("1a", "2b"));
    expect(matchConversations([read("1a", "2b", "3c")], [thread])).toEqual([0]);
    expect(matchConversations([read("1a")], [thread])).toEqual([0]);
    expect(matchConversations([read("1a", "2c")], [thread])).toEqual([undefined]);
    const long = "1234567890123456";
    expect(matchConversations([read(`${long}b`)], [stored(read(`${long}a`))])).toEqual([0]);
  });

  it("has a thread to itself", () => {
    const same = read("1a");
    expect(matchConversations([same, same, same], [stored(same), stored(same)])).toEqual([0, 1, undefined]);
    expect(matchConversations([same], [])).toEqual([undefined]);
  });

  it("is matched in a file of thousands that are all alike", () => {
    const [files, threads] = [Array(4000).fill(read("1a")), Array(2000).fill(stored(read("1a")))];
    expect(matchConversations(files, threads).filter((each) => each !== undefined)).toHaveLength(2000);
  });

  it("needs no writing, whatever the file holds and wherever its threads stand", () => {
    const message = fc.record({ content: fc.constantFrom("a", "b"), at: fc.option(fc.nat(2), { nil: undefined }) });
    const conversation = fc.array(message, { minLength: 1, maxLength: 4 }).map((messages): Identified[] =>
      messages.map(({ content, at }, i) => ({
        role: "user",
        blocks: [],
        given: String(i + 1),
        content,
        ...(at !== undefined && { at }),
      })),
    );
    const files = fc
      .array(fc.record({ conversation, more: conversation, now: fc.nat(2), order: fc.nat() }), { maxLength: 7 })
      // What was said in a thread after the file was read.
      .map((all) => all.map(({ more, ...each }) => ({ ...each, more: more.slice(each.conversation.length) })));
    fc.assert(
      fc.property(files, (file) => {
        const threads = file
          .toSorted((a, b) => a.order - b.order)
          .map(({ conversation, more, now }) => stored([...conversation, ...more], now));
        const conversations = file.map((each) => each.conversation);
        const matched = matchConversations(conversations, threads);
        expect(new Set(matched).size).toBe(file.length);
        for (const [i, thread] of matched.entries()) expect(holdsAll(threads[thread!]!, conversations[i]!)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
