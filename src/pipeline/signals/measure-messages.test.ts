import { describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { refreshMessages } from "../../indexing/library/messages.ts";
import { searchInput } from "../../options.ts";
import { auto } from "../../recipes/auto.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import type { NewMessage } from "../../stores/library.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { resolve } from "../1-resolve/resolve.ts";
import type { Finding } from "../finding.ts";
import { weighed, weightedSum } from "./columns.ts";
import { measureMessages, messageRelevance, messageSignals } from "./measure-messages.ts";

type Line = [speaker: string, text: string, more?: Partial<NewMessage>];

const recipe: Recipe = { ...auto, asks: [{ source: "message", deadline: 10_000 }] };
const dated = (date: string, session: string): Partial<NewMessage> => ({ at: Date.parse(`${date}Z`), session });
const small = (count: number, more: Partial<NewMessage> = {}): Line[] =>
  Array.from({ length: count }, (_, i) => ["Bo", `Nothing much, ${["sun", "rain", "wind"][i % 3]} again.`, more]);

/** Asks a question in a thread of these lines. */
async function asked(question: string, lines: Line[]) {
  const workspace = await openWorkspace(folder({ "a.txt": "a" }));
  onTestFinished(() => workspace.close());
  const library = await workspace.library();
  const { id } = await library.createThread(workspace.owner, { title: "t", at: 1 });
  const messages = lines.map(
    ([speaker, text, more]): NewMessage => ({
      role: "user",
      speaker,
      blocks: [{ type: "text", text }],
      at: 1_700_000_000_000,
      ...more,
    }),
  );
  await library.addMessages(workspace.owner, id, messages);
  await refreshMessages(workspace);
  const request = searchInput.parse({ query: question, thread: id, limit: 50, minScore: 0 });
  const [finding] = (await resolve(request, recipe, workspace)).findings;
  return ranked(finding!);
}

function ranked(finding: Finding) {
  const { columns, certainty } = measureMessages(finding);
  const counted = weighed(columns, messageSignals);
  return finding.candidates
    .map(({ item }, i) => ({
      number: item.startLine,
      score: weightedSum(counted, i),
      signals: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[i]!])),
      certainty: certainty[i]!,
    }))
    .sort((a, b) => b.score - a.score || a.number - b.number);
}

const first = async (question: string, lines: Line[]) => (await asked(question, lines))[0]!.number;

describe("the ranking of messages", () => {
  it("puts the answer above the question that it answers", async () => {
    const lines: Line[] = [
      ...small(8),
      ["Cy", "Where did you buy that pottery?"],
      ["Bo", "I bought it in Lisbon, near the river."],
      ...small(8),
    ];
    expect(await first("Where did Bo buy the pottery?", lines)).toBe(10);
  });

  it("knows that what was bought can be asked for as what somebody buys", async () => {
    const lines: Line[] = [...small(6), ["Bo", "The bike I bought is red."], ...small(6), ["Bo", "That red door."]];
    expect(await first("What red thing did Bo buy?", lines)).toBe(7);
  });

  it("prefers who was named, and never leaves out the other", async () => {
    const both: Line[] = [
      ...small(6),
      ["Cy", "I adopted a dog."],
      ...small(6),
      ["Bo", "I adopted a dog."],
      ...small(6),
    ];
    expect(await first("Who adopted a dog, Cy?", both)).toBe(7);
    expect(await first("What did Bo adopt?", both)).toBe(14);
    const other: Line[] = [["Cy", "Hello."], ...small(6), ["Bo", "Kites are great."], ...small(6), ["Cy", "Bye."]];
    expect(await first("What did Cy say about kites?", other)).toBe(8);
  });

  it("prefers what was said at the time that was asked for", async () => {
    const lines: Line[] = [
      ["Bo", "We painted the fence.", dated("2023-03-02T10:00", "1")],
      ...small(6, dated("2023-03-02T10:00", "1")),
      ["Bo", "We painted the fence.", dated("2023-08-20T10:00", "2")],
      ...small(6, dated("2023-08-20T10:00", "2")),
    ];
    expect(await first("What was painted in August 2023?", lines)).toBe(8);
    expect(await first("What was painted on 1 March, 2023?", lines)).toBe(1);
    expect(
      await first("What was painted last month?", [...lines, ["Bo", "Hello.", dated("2023-09-10T10:00", "3")]]),
    ).toBe(8);
  });

  it("answers when with what says when", async () => {
    const lines: Line[] = [
      ...small(6),
      ["Bo", "The race is long."],
      ...small(6),
      ["Bo", "The race was last Saturday."],
    ];
    expect(await first("When is the race?", lines)).toBe(14);
  });

  it("has signals between 0 and 1 that say nothing where nothing was met", async () => {
    const all = await asked("When did Bo fix the kettle in May 2023 ?", [
      ...small(20),
      ["Cy", "kettle kettle kettle fix the kettle in May?", dated("2023-05-02T00:00", "1")],
      ["Bo", "I fixed the kettle, fixed it, fixed it on Monday", dated("2023-05-02T00:00", "1")],
    ]);
    for (const { signals, certainty } of all) {
      for (const value of [...Object.values(signals), certainty]) expect(value >= 0 && value <= 1).toBe(true);
    }
    const nothing = await asked("zebra quantum", small(20));
    expect(nothing).toHaveLength(10);
    expect(nothing.every(({ certainty, score }) => certainty === 0 && score === 0)).toBe(true);
  });

  it("is one number for recipes that weigh other things too, in the same order", () => {
    const columns = { text: [0.2, 0.4, 0], session: [0, 0, 0], speaker: [1, 0, 0], statement: [1, 1, 0] };
    const [one, two, none] = messageRelevance({ columns, certainty: [1, 1, 0] });
    expect(two).toBeLessThan(0.5);
    expect(one).toBeGreaterThan(0.5 * two!);
    expect(one).toBeLessThan(two!);
    expect(none).toBe(0);
    // Twice as good is twice as much, whatever else there is: the best of little is no 1.
    const better = messageRelevance({ columns: { ...columns, text: [0.2, 0.8, 0] }, certainty: [1, 1, 0] });
    expect(better[0]).toBe(one);
    expect(better[1]).toBeGreaterThan(two!);
    expect(messageRelevance({ columns: { text: [0, 0] }, certainty: [0, 0] })).toEqual([0, 0]);
  });

  it("is sure of a turn that says all of it, and not of one that says a little", async () => {
    const lines: Line[] = [
      ...small(6),
      ["Bo", "The harbour crane fell."],
      ...small(9),
      ["Cy", "A crane flew by."],
      ...small(9),
    ];
    const all = await asked("harbour crane fell", lines);
    expect(all[0]!.certainty).toBeGreaterThan(0.8);
    expect(all.find(({ number }) => number === 17)!.certainty).toBeLessThan(0.6);
  });
});
