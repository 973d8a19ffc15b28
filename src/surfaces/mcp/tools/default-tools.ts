import type { OperationName } from "../../../operations/core/registry.ts";

/**
 * The tools that an agent is offered unless it asks for all: their purpose in an agent's words, and the inputs worth
 * listing, with a few words where the name is not enough. Inputs that are not listed are accepted all the same.
 */
export const defaultTools: Readonly<
  Partial<Record<OperationName, { description: string; shows: Readonly<Record<string, string>> }>>
> = {
  context_query: {
    description:
      "The code and docs that answer a question, cited, with lines. Use before grepping or reading files. For a whole task use assemble_context.",
    shows: {
      query: "Question, name, path, error or stack trace",
      hints: "Words and names its code may use",
      maxTokens: "",
      lineNumbers: "",
      since: "Last bundle: only what is new",
    },
  },
  assemble_context: {
    description:
      "Once, before a task: what earlier sessions remember and learned about it, with the code and commits it touches. For one question about code use context_query.",
    shows: {
      query: "The task, in full",
      contextTypes: "Of memories, code, experiences, values, commits",
      maxTokens: "",
      since: "",
    },
  },
  open: {
    description:
      "Open several citations, line ranges, files, folders or symbols at once, as they are now; or list callers, references, an outline.",
    shows: { targets: "cod-1k3f, src/a.ts:10-40, Cart.total, src/", show: "", maxTokens: "", lineNumbers: "" },
  },
  get_premortem_context: {
    description: "Before risky work, or when a test first fails: what went wrong in this domain before, and why.",
    shows: { domain: "", maxTokens: "" },
  },
  tana_context: {
    description: "The user's notes (Tana, Obsidian, Logseq) on a topic; follows links.",
    shows: {
      query: "A topic, a note's name or id",
      maxTokens: "",
      lens: "",
      tag: "",
      field: "Status=open, Due<2026-12-01",
      sort: "",
    },
  },
  remember: {
    description: "Keep a fact, preference or decision for later sessions; says what it repeats or contradicts.",
    shows: {
      content: "",
      category: "",
      supersedes: "Id it replaces",
      pin: "In every brief",
      scope: "~ (all workspaces) or api/**",
      until: "Date, or 30d",
    },
  },
  experience: {
    description:
      "Log an attempt: start (domain to prediction) before it, update when trying something else, resolve with what came of it.",
    shows: {
      step: "",
      id: "To show or resume",
      domain: "",
      strategy: "",
      goal: "",
      hypothesis: "",
      action: "",
      prediction: "",
      status: "",
      result: "",
      surprise: "",
      rootCause: "",
      rootCauseDescription: "",
      lesson: "",
      text: "",
    },
  },
  feedback: {
    description: "Say whether a cited item helped; later answers rank by it.",
    shows: { item: "Its id", useful: "" },
  },
  why: {
    description: "Explain why an item is, or is not, in the answer to a query.",
    shows: { query: "", item: "Id, name, path or path:line" },
  },
};
