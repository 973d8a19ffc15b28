import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chatQuestions, documentsEach, openChatUser } from "./chat-library.ts";

describe("the set of chats", () => {
  it("has 60 questions, half of them kept aside, each with one answer in what its user has", async () => {
    const questions = chatQuestions();
    expect(questions).toHaveLength(60);
    expect(questions.filter(({ part }) => part === "held")).toHaveLength(30);
    for (const user of new Set(questions.map((each) => each.user))) {
      const folder = mkdtempSync(join(tmpdir(), "dossier-chat-set-"));
      const { workspace, texts } = await openChatUser(folder, user);
      await workspace.close();
      rmSync(folder, { recursive: true, force: true });
      const documents = texts.filter(({ id }) => !id.startsWith("turn "));
      expect(documents).toHaveLength(documentsEach);
      for (const { kind, gold } of questions.filter((each) => each.user === user)) {
        const having = texts.filter(({ text }) => text.includes(gold)).map(({ id }) => id.startsWith("turn "));
        expect(having, gold).toEqual([kind === "message"]);
      }
    }
  });
});
