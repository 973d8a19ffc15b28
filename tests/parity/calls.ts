import type { OperationName } from "../../src/operations/core/registry.ts";
import type { CallInput } from "./surfaces.ts";

/** What earlier calls of the same surface gave, and those of the library, by the name of the call. */
export type Earlier = Record<"own" | "library", Record<string, Given>>;
/** Values from earlier answers that later calls need. */
type Given = {
  bundle: string;
  items: { id: string }[];
  memory: { id: string };
  event: string;
  clusters: { id: string }[];
  check: { text: string };
};
export type Call = {
  operation: OperationName;
  /** The name by which later calls refer to it. */
  as?: string;
  input: CallInput | ((earlier: Earlier) => CallInput);
};

const question = "how is an amount booked in cents?";
const start = { step: "start", session: "parity", domain: "testing", strategy: "read-the-error", goal: "sums add up" };
const attempt = { hypothesis: "floats drift", action: "log them", prediction: "0.30000000000000004" };

/**
 * In this order in each workspace; later ones see what earlier ones wrote. Where an answer can be asked for with
 * `since`, it is: agents are given a bundle without asking.
 */
export const calls: Call[] = [
  { operation: "index", input: {} },
  { operation: "status", input: {} },
  { operation: "files", input: { limit: 5 } },
  { operation: "whoami", input: {} },
  { operation: "doctor", input: {} },
  { operation: "workspaces", input: {} },
  { operation: "lenses", input: {} },
  { operation: "model", input: {} },
  { operation: "notes", input: { tags: 5 } },
  { operation: "context_stats", input: {} },
  { operation: "context", as: "context", input: { query: question, maxTokens: 1500, since: "start" } },
  {
    operation: "context",
    as: "other",
    input: { query: question, maxTokens: 300, since: "start", format: "xml", sources: ["code", "memory"], minScore: 0 },
  },
  {
    operation: "context",
    as: "more",
    input: ({ library: { context } }) => ({ query: question, maxTokens: 900, since: context!.bundle, minScore: 0 }),
  },
  { operation: "context", input: { query: "Apollo", lens: "general", depth: 2, since: "start" } },
  {
    operation: "context",
    input: ({ library: { context } }) => {
      const [first, second, third] = context!.items.map(({ id }) => id);
      const chosen = { pin: [second!], exclude: [first!], level: [`${third ?? second}=pointer`] };
      return { query: question, maxTokens: 700, since: "start", ...chosen, report: ["parts", "levels", "budgets"] };
    },
  },
  { operation: "search", input: { query: "closeLedger friday", limit: 5, types: ["function", "section"] } },
  { operation: "why", input: { query: question, item: "bookAmount", maxTokens: 800 } },
  { operation: "item", input: ({ library: { context } }) => ({ item: context!.items[0]!.id }) },
  { operation: "open", input: { targets: ["bookAmount", "src/ledger.ts:1-2"], lineNumbers: true } },
  { operation: "open", input: { targets: ["bookAmount"], show: "callers" } },
  { operation: "verify", input: ({ library: { context } }) => ({ bundle: JSON.stringify(context) }) },
  {
    operation: "diff",
    input: ({ library: { context, other } }) => ({ a: JSON.stringify(context), b: JSON.stringify(other) }),
  },
  {
    operation: "eval",
    input: { kinds: ["own"], cases: '{"query":"rates of a currency","expect":["src/rates.ts"]}\n', maxTokens: 500 },
  },
  { operation: "eval", input: { kinds: ["commit", "test"], list: true } },
  { operation: "eval_history", input: {} },
  { operation: "graph", input: { query: "bookAmount", depth: 1 } },
  { operation: "graph", input: { query: "Apollo", limit: 5 } },
  { operation: "tana_context", input: { query: "Apollo", depth: 2, maxTokens: 800, since: "start" } },
  {
    operation: "context_query",
    input: { query: question, maxTokens: 700, since: "start", includeTypes: ["function"] },
  },
  {
    operation: "assemble_context",
    input: { query: "rates of the ledger", limit: 8, maxTokens: 1200, minScore: 0, since: "start" },
  },
  { operation: "get_premortem_context", input: { domain: "debugging", limit: 4, maxTokens: 900, since: "start" } },
  { operation: "prime_context", input: { message: "When do the books close, @guides/closing.md?", maxTokens: 900 } },

  { operation: "remember", as: "remember", input: { content: "Rates come from the bank.", tags: ["rates", "bank"] } },
  { operation: "memories", input: { query: "cents", limit: 3, full: true } },
  { operation: "capture", input: { log: '{"role":"user","content":"Always round once, at the end."}\nno line\n' } },
  { operation: "memory", input: {} },
  { operation: "memory", input: { step: "drop" } },
  { operation: "edit", input: { id: "mem-cents", importance: 0.4, addTags: ["money"] } },
  { operation: "forget", input: ({ own: { remember } }) => ({ ids: [remember!.memory.id, "mem-friday"] }) },
  { operation: "memories", input: { deleted: true } },
  { operation: "restore", input: { ids: ["mem-friday"] } },
  { operation: "export", input: { types: ["memory"] } },
  { operation: "import", input: { file: '{"id":"mem-0000000000abc","content":"Banks open on Mondays."}\nno line\n' } },

  { operation: "documents", input: {} },
  { operation: "put_document", input: { document: "guides/rates.md", content: "# Rates\n\nThe bank says them.\n" } },
  { operation: "put_documents", input: { documents: '[{"document":"guides/fees.md","content":"Two per cent."}]' } },
  { operation: "get_document", input: { document: "guides/rates.md", touch: false } },
  { operation: "move_document", input: { document: "guides/rates.md", to: "old/rates.md" } },
  { operation: "delete_document", input: { documents: ["old/rates.md"] } },
  { operation: "restore_document", input: { documents: ["old/rates.md"] } },

  { operation: "threads", input: { messages: 1 } },
  { operation: "thread", input: { step: "create", title: "Rates" } },
  { operation: "say", input: { thread: "Rates", text: "Who says the rates?", at: "2025-06-01T10:00:00Z" } },
  { operation: "thread", input: { step: "show", thread: "Rates" } },
  { operation: "thread", input: { step: "rename", thread: "Rates", title: "Rates of the bank" } },
  { operation: "thread", input: { step: "branch", thread: "Closing", title: "Closing, again" } },
  { operation: "import_thread", input: { file: '{"role":"user","content":"And on holidays?"}\n', title: "Holidays" } },
  { operation: "references", input: { step: "add", thread: "Closing", target: "guides/closing.md", priority: 0.5 } },
  { operation: "references", input: { step: "list", thread: "Closing" } },
  { operation: "mentions", input: { prefix: "@clo", limit: 5 } },
  { operation: "prime_context", input: { message: "And what about Mondays?", thread: "Closing", maxTokens: 600 } },

  { operation: "feedback", as: "feedback", input: { item: "mem-cents", useful: true, context: "one" } },
  { operation: "feedback", input: { item: "mem-cents", useful: true, context: "one" } },
  { operation: "feedback", input: ({ own: { feedback } }) => ({ undo: [feedback!.event] }) },
  {
    operation: "cited",
    input: { reply: "Amounts are kept in cents [mem-cents].", given: ["mem-cents", "mem-friday"] },
  },

  // Ages are counted from the newest result, so this comes before anything is written now.
  { operation: "experiences", input: { query: "rates", limit: 3 } },
  { operation: "experience", input: { ...start, ...attempt } },
  { operation: "experience", input: { step: "update", session: "parity", hypothesis: "rounding", observed: "0.3" } },
  { operation: "experience", input: { step: "active", session: "parity" } },
  {
    operation: "experience",
    input: { step: "resolve", session: "parity", status: "confirmed", result: "it was rounding" },
  },
  { operation: "experiences", input: { domain: "testing", limit: 4 } },
  { operation: "clusters", as: "clusters", input: { members: 3 } },
  {
    operation: "value",
    as: "proposed",
    input: ({ own: { clusters } }) => ({ step: "propose", id: clusters!.clusters[0]!.id }),
  },
  {
    operation: "value",
    input: ({ own: { clusters, proposed } }) => ({
      step: "add",
      id: clusters!.clusters[0]!.id,
      text: proposed!.check.text,
    }),
  },
  { operation: "values", input: {} },
  { operation: "values", input: { deleted: true } },
  { operation: "experiences", input: { deleted: true, query: "rates" } },

  { operation: "history", input: { target: "src/ledger.ts" } },
  { operation: "authors", input: { target: "src" } },
  { operation: "churn", input: { limit: 3 } },
];

/** Not offered anywhere but on the command line, and why. */
export const commandLineOnly: Partial<Record<OperationName, string>> = {
  connect: "writes the config of the machine's workspace",
  disconnect: "writes the config of the machine's workspace",
  run: "runs commands",
  name_workspace: "writes the user's settings",
  unname_workspace: "writes the user's settings",
  serve: "is a process of its own",
  inspect: "is a process of its own",
  mcp: "is a process of its own",
  engine: "is about processes of this machine",
  store: "copies between databases of the machine",
  hook: "is called by a client's hooks",
  keys: "makes the keys that other surfaces ask for",
};

export type Mistake = {
  operation: OperationName;
  input: CallInput;
  code: string;
  /** Each surface has its own parser for what does not exist: the code is the same, the sentence is the parser's. */
  ownSentence?: true;
};

/** What goes wrong everywhere in the same words. */
export const mistakes: Mistake[] = [
  { operation: "context", input: { query: "" }, code: "empty-query" },
  { operation: "context_query", input: { query: "  " }, code: "empty-query" },
  { operation: "search", input: {}, code: "empty-query" },
  { operation: "context", input: { query: "x", maxTokens: 1 }, code: "budget-too-small" },
  // An agent is told the most that one answer holds.
  { operation: "context", input: { query: "x", maxTokens: "many" }, code: "bad-input", ownSentence: true },
  { operation: "context", input: { query: "x", format: "pdf" }, code: "bad-input" },
  { operation: "context", input: { query: "x", sources: ["code", "dreams"] }, code: "bad-input" },
  { operation: "context", input: { query: "x", lens: "rosy" }, code: "unknown-lens" },
  { operation: "context", input: { query: "x", tokens: 5 }, code: "bad-input", ownSentence: true },
  { operation: "get_premortem_context", input: { domain: "cooking" }, code: "bad-input" },
  { operation: "remember", input: { content: "x".repeat(10_001) }, code: "too-long" },
  { operation: "remember", input: {}, code: "bad-input" },
  { operation: "remember", input: { content: `The key is ghp_${"a1B2c3D4e5F6".repeat(3)}.` }, code: "looks-secret" },
  { operation: "item", input: { item: "mem-nothing" }, code: "not-found" },
  { operation: "why", input: { query: "amount", item: "no such thing" }, code: "not-found" },
  { operation: "edit", input: { id: "mem-nothing", importance: 1 }, code: "not-found" },
  { operation: "get_document", input: { document: "none.md" }, code: "not-found" },
  { operation: "thread", input: { step: "show", thread: "None" }, code: "not-found" },
  { operation: "thread", input: { step: "show" }, code: "bad-input" },
  { operation: "value", input: { step: "show", id: "val-nothing" }, code: "not-found" },
  { operation: "feedback", input: { item: "mem-cents" }, code: "bad-input" },
  { operation: "feedback", input: { undo: ["use-nothing"] }, code: "not-found" },
  {
    operation: "experience",
    input: { step: "resolve", session: "none", status: "confirmed" },
    code: "no-active-experience",
  },
  { operation: "experience", input: { step: "start", domain: "testing" }, code: "bad-input" },
  { operation: "verify", input: { bundle: "no bundle" }, code: "bad-input" },
  { operation: "history", input: { target: "src/nothing.ts" }, code: "not-found" },
  { operation: "memories", input: { since: "someday" }, code: "bad-input" },
];
