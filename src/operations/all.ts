import type { Operation } from "./operation.ts";

/**
 * Every verb, in the order in which lists show them. Adding one is a file in this folder, which states its command, group and access, and a
 * line here; `npm run docs`, flags, help and completion follow. Each is loaded only when it is called: a command must not pay for the others.
 */
export const operationTable = {
  context: async () => (await import("./context.ts")).context,
  search: async () => (await import("./search.ts")).search,
  assemble_context: async () => (await import("./assemble-context.ts")).assembleContext,
  get_premortem_context: async () => (await import("./premortem.ts")).premortem,
  context_query: async () => (await import("./context-query.ts")).contextQuery,
  prime_context: async () => (await import("./prime-context.ts")).primeContext,
  why: async () => (await import("./why.ts")).why,
  item: async () => (await import("./item.ts")).item,
  open: async () => (await import("./open.ts")).open,
  verify: async () => (await import("./verify.ts")).verify,
  diff: async () => (await import("./diff.ts")).diff,
  tana_context: async () => (await import("./tana-context.ts")).tanaContext,
  notes: async () => (await import("./notes.ts")).notes,
  connect: async () => (await import("./connect.ts")).connect,
  disconnect: async () => (await import("./disconnect.ts")).disconnect,
  lenses: async () => (await import("./lenses.ts")).lenses,
  remember: async () => (await import("./remember.ts")).remember,
  memories: async () => (await import("./memories.ts")).memories,
  edit: async () => (await import("./edit.ts")).edit,
  forget: async () => (await import("./forget.ts")).forget,
  restore: async () => (await import("./restore.ts")).restore,
  memory: async () => (await import("./memory.ts")).memory,
  capture: async () => (await import("./capture.ts")).capture,
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
  run: async () => (await import("./run.ts")).run,
  experiences: async () => (await import("./experiences.ts")).experiences,
  clusters: async () => (await import("./clusters.ts")).clusters,
  value: async () => (await import("./value.ts")).value,
  values: async () => (await import("./values.ts")).values,
  history: async () => (await import("./history.ts")).history,
  authors: async () => (await import("./authors.ts")).authors,
  churn: async () => (await import("./churn.ts")).churn,
  index: async () => (await import("./index-workspace.ts")).index,
  status: async () => (await import("./status.ts")).status,
  context_stats: async () => (await import("./context-stats.ts")).contextStats,
  model: async () => (await import("./model.ts")).model,
  eval: async () => (await import("./eval.ts")).evaluate,
  workspaces: async () => (await import("./workspaces.ts")).workspaces,
  name_workspace: async () => (await import("./name-workspace.ts")).nameWorkspace,
  unname_workspace: async () => (await import("./unname-workspace.ts")).unnameWorkspace,
  doctor: async () => (await import("./doctor.ts")).doctor,
  mcp: async () => (await import("./mcp.ts")).mcp,
  hook: async () => (await import("./hook.ts")).hook,
  serve: async () => (await import("./serve.ts")).serve,
  keys: async () => (await import("./keys.ts")).keys,
} satisfies Record<string, () => Promise<Operation>>;

export type OperationName = keyof typeof operationTable;

export const operationNames = Object.keys(operationTable) as OperationName[];

export function isOperationName(word: string): word is OperationName {
  return Object.hasOwn(operationTable, word);
}

export function loadOperation(name: OperationName): Promise<Operation> {
  return operationTable[name]();
}

export function allOperations(): Promise<Operation[]> {
  return Promise.all(operationNames.map(loadOperation));
}
