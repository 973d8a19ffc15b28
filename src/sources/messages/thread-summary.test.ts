import { describe, expect, it } from "vitest";
import type { StoredMessage } from "../../stores/library.ts";
import { summaryLines } from "./thread-summary.ts";

const said = (role: StoredMessage["role"], text: string, number: number): StoredMessage => ({
  id: `msg-${number}`,
  thread: "thr-1",
  number,
  role,
  blocks: [{ type: "text", text }],
  at: number,
});

describe("the summary of a thread", () => {
  it("has its title, its first question, what was decided and its last turn", () => {
    const messages = [
      said("user", "Good morning.", 1),
      said("user", "Which database shall we use?", 2),
      said("assistant", "There are three. We decided on SQLite, since nobody runs a server here.", 3),
      said("user", "Was that agreed by Grace?", 4),
      said("assistant", "Yes. Let's use WAL mode, too.", 5),
      said("user", "Thanks!", 6),
    ];
    expect(summaryLines("Storage", messages)).toEqual([
      'Summary of the thread "Storage"',
      "First question: user: Which database shall we use?",
      "Decided: We decided on SQLite, since nobody runs a server here.",
      "Decided: Let's use WAL mode, too.",
      "Last turn: user: Thanks!",
    ]);
  });

  it("is short, however long the turns are", () => {
    const long = said("user", `We agreed ${"on everything ".repeat(10_000)}`, 1);
    expect(summaryLines("x".repeat(5000), [long, long]).join("\n").length).toBeLessThan(2000);
    expect(summaryLines("Empty", [])).toEqual(['Summary of the thread "Empty"']);
  });
});
