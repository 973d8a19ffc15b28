import type { Operation } from "./operation.ts";

/**
 * Every verb. Adding one is a file in this folder and a line here; flags, help, completion and docs follow.
 * Each is loaded only when it is called: a command must not pay for the others.
 */
export const operationTable = {
  context: async () => (await import("./context.ts")).context,
  search: async () => (await import("./search.ts")).search,
  index: async () => (await import("./index-workspace.ts")).index,
  status: async () => (await import("./status.ts")).status,
  why: async () => (await import("./why.ts")).why,
  item: async () => (await import("./item.ts")).item,
  open: async () => (await import("./open.ts")).open,
  verify: async () => (await import("./verify.ts")).verify,
  diff: async () => (await import("./diff.ts")).diff,
  eval: async () => (await import("./eval.ts")).evaluate,
  model: async () => (await import("./model.ts")).model,
  tana_context: async () => (await import("./tana-context.ts")).tanaContext,
  prime_context: async () => (await import("./prime-context.ts")).primeContext,
  context_stats: async () => (await import("./context-stats.ts")).contextStats,
  context_query: async () => (await import("./context-query.ts")).contextQuery,
  assemble_context: async () => (await import("./assemble-context.ts")).assembleContext,
  get_premortem_context: async () => (await import("./premortem.ts")).premortem,
  notes: async () => (await import("./notes.ts")).notes,
  connect: async () => (await import("./connect.ts")).connect,
  disconnect: async () => (await import("./disconnect.ts")).disconnect,
  lenses: async () => (await import("./lenses.ts")).lenses,
  remember: async () => (await import("./remember.ts")).remember,
  memories: async () => (await import("./memories.ts")).memories,
  edit: async () => (await import("./edit.ts")).edit,
  memory: async () => (await import("./memory.ts")).memory,
  capture: async () => (await import("./capture.ts")).capture,
  forget: async () => (await import("./forget.ts")).forget,
  restore: async () => (await import("./restore.ts")).restore,
  export: async () => (await import("./export.ts")).exportRecords,
  import: async () => (await import("./import.ts")).importRecords,
  documents: async () => (await import("./documents.ts")).documents,
  put_document: async () => (await import("./put-document.ts")).putDocument,
  put_documents: async () => (await import("./put-documents.ts")).putDocuments,
  get_document: async () => (await import("./get-document.ts")).getDocument,
  move_document: async () => (await import("./move-document.ts")).moveDocument,
  delete_document: async () => (await import("./delete-document.ts")).deleteDocument,
  restore_document: async () => (await import("./restore-document.ts")).restoreDocument,
  threads: async () => (await import("./threads.ts")).threads,
  thread: async () => (await import("./thread.ts")).thread,
  say: async () => (await import("./say.ts")).say,
  import_thread: async () => (await import("./import-thread.ts")).importThread,
  references: async () => (await import("./references.ts")).references,
  mentions: async () => (await import("./mentions.ts")).mentions,
  feedback: async () => (await import("./feedback.ts")).feedback,
  cited: async () => (await import("./cited.ts")).cited,
  experience: async () => (await import("./experience.ts")).experience,
  experiences: async () => (await import("./experiences.ts")).experiences,
  clusters: async () => (await import("./clusters.ts")).clusters,
  value: async () => (await import("./value.ts")).value,
  values: async () => (await import("./values.ts")).values,
  run: async () => (await import("./run.ts")).run,
  history: async () => (await import("./history.ts")).history,
  authors: async () => (await import("./authors.ts")).authors,
  churn: async () => (await import("./churn.ts")).churn,
  workspaces: async () => (await import("./workspaces.ts")).workspaces,
  name_workspace: async () => (await import("./name-workspace.ts")).nameWorkspace,
  unname_workspace: async () => (await import("./unname-workspace.ts")).unnameWorkspace,
  doctor: async () => (await import("./doctor.ts")).doctor,
  serve: async () => (await import("./serve.ts")).serve,
  mcp: async () => (await import("./mcp.ts")).mcp,
  hook: async () => (await import("./hook.ts")).hook,
  keys: async () => (await import("./keys.ts")).keys,
} satisfies Record<string, () => Promise<Operation>>;

export type OperationName = keyof typeof operationTable;

/** For lists that people read: what belongs together, in the order of use. */
export const operationGroups: { title: string; names: OperationName[] }[] = [
  {
    title: "Ask",
    names: [
      "context",
      "search",
      "assemble_context",
      "get_premortem_context",
      "context_query",
      "prime_context",
      "why",
      "item",
      "open",
      "verify",
      "diff",
    ],
  },
  { title: "Notes", names: ["tana_context", "notes", "connect", "disconnect", "lenses"] },
  {
    title: "Memories",
    names: ["remember", "memories", "edit", "forget", "restore", "memory", "capture", "export", "import"],
  },
  {
    title: "Library",
    names: [
      "documents",
      "put_document",
      "put_documents",
      "get_document",
      "move_document",
      "delete_document",
      "restore_document",
      "threads",
      "thread",
      "say",
      "import_thread",
      "references",
      "mentions",
      "feedback",
      "cited",
    ],
  },
  { title: "Experiences", names: ["experience", "run", "experiences", "clusters", "value", "values"] },
  { title: "History", names: ["history", "authors", "churn"] },
  {
    title: "Index",
    names: [
      "index",
      "status",
      "context_stats",
      "model",
      "eval",
      "workspaces",
      "name_workspace",
      "unname_workspace",
      "doctor",
    ],
  },
  { title: "Serve", names: ["mcp", "hook", "serve", "keys"] },
];

/** What people type for operations whose names were given elsewhere. */
export const shortNames: Readonly<Record<string, OperationName>> = {
  brief: "assemble_context",
  premortem: "get_premortem_context",
};

export const operationNames = Object.keys(operationTable) as OperationName[];

export function isOperationName(word: string): word is OperationName {
  return Object.hasOwn(operationTable, word);
}

/** The operation that a word names, in full or for short. */
export function operationCalled(word: string): OperationName | undefined {
  if (isOperationName(word)) return word;
  return Object.hasOwn(shortNames, word) ? shortNames[word] : undefined;
}

export function loadOperation(name: OperationName): Promise<Operation> {
  return operationTable[name]();
}

export function allOperations(): Promise<Operation[]> {
  return Promise.all(operationNames.map(loadOperation));
}
