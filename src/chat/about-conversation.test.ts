import { describe, expect, it } from "vitest";
import { isAboutConversation } from "./about-conversation.ts";

describe("a message about the conversation itself", () => {
  it.each([
    "what was the last thing I asked?",
    "What did you just say?",
    "Can you repeat that?",
    "summarize our conversation so far, please",
    "Was war meine letzte Frage?",
    "ok",
  ])("%s", (text) => {
    expect(isAboutConversation(text)).toBe(true);
  });

  it.each([
    "what was the last thing I asked about refunds?",
    "What did you say about the budget?",
    "summarize the contract",
    "Which question did the auditors ask?",
  ])("is not %s", (text) => {
    expect(isAboutConversation(text)).toBe(false);
  });
});
