import type { OperationName } from "../../operations/all.ts";

/**
 * The tools that an agent is offered unless it asks for all: what each is for, in the words of an agent, and the inputs worth its while.
 * Those that are left out are taken all the same.
 */
export const defaultTools: Readonly<Partial<Record<OperationName, { description: string; shows: string[] }>>> = {
  context_query: {
    description:
      "Ask about the repository: code and docs that answer the question, cited, within a token budget. Use it before grepping or reading files.",
    shows: ["query", "maxTokens", "limit", "includeTypes", "minScore", "format", "since"],
  },
  assemble_context: {
    description: "Before a task: memories, code, past experiences, principles and commits that bear on it.",
    shows: ["query", "contextTypes", "limit", "maxTokens", "since"],
  },
  get_premortem_context: {
    description: "Before risky work, or when a test first fails: what went wrong in this domain before, and why.",
    shows: ["domain", "strategy", "limit", "maxTokens"],
  },
  tana_context: {
    description: "Ask the user's notes (Tana, Obsidian, Logseq) about a topic or a note; follows its links.",
    shows: ["query", "depth", "maxTokens", "lens", "includeFields", "format", "since"],
  },
  remember: {
    description: "Keep a fact, preference or decision for later sessions; says if it is known or contradicts another.",
    shows: ["content", "category", "importance", "tags", "supersedes"],
  },
  experience: {
    description:
      "Log an attempt: start (domain, strategy, goal, hypothesis, action, prediction) before it, update when trying something else, resolve with what came of it.",
    shows: [
      "step",
      "domain",
      "strategy",
      "goal",
      "hypothesis",
      "action",
      "prediction",
      "observed",
      "status",
      "result",
      "surprise",
      "rootCause",
      "rootCauseDescription",
      "lesson",
    ],
  },
  feedback: {
    description: "Say whether a cited item helped; later answers rank by it.",
    shows: ["item", "useful", "undo"],
  },
  why: {
    description: "Explain why an item is, or is not, in the answer to a query.",
    shows: ["query", "item", "maxTokens"],
  },
};
