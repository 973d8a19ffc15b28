import type { Operation } from "./operation.ts";

/**
 * Every verb, in the order in which lists show them. Adding one is a file in this folder, which states its command,
 * group and access, and a line here; `npm run docs`, flags, help and completion follow. Each is loaded only when it is
 * called: a command must not pay for the others.
 */
export const operationTable = {
  context: async () => (await import("../ask/context.ts")).context,
  search: async () => (await import("../ask/search.ts")).search,
  assemble_context: async () => (await import("../briefings/assemble-context.ts")).assembleContext,
  get_premortem_context: async () => (await import("../briefings/premortem.ts")).premortem,
  context_query: async () => (await import("../ask/context-query.ts")).contextQuery,
  prime_context: async () => (await import("../chat/prime-context.ts")).primeContext,
  why: async () => (await import("../ask/why.ts")).why,
  item: async () => (await import("../ask/item.ts")).item,
  open: async () => (await import("../ask/open.ts")).open,
  graph: async () => (await import("../graph/graph.ts")).graph,
  verify: async () => (await import("../ask/verify.ts")).verify,
  diff: async () => (await import("../ask/diff.ts")).diff,
  tana_context: async () => (await import("../notes/tana-context.ts")).tanaContext,
  notes: async () => (await import("../notes/notes.ts")).notes,
  connect: async () => (await import("../notes/connect.ts")).connect,
  disconnect: async () => (await import("../notes/disconnect.ts")).disconnect,
  lenses: async () => (await import("../notes/lenses.ts")).lenses,
  remember: async () => (await import("../memory/remember.ts")).remember,
  memories: async () => (await import("../memory/memories.ts")).memories,
  edit: async () => (await import("../memory/edit.ts")).edit,
  forget: async () => (await import("../memory/forget.ts")).forget,
  restore: async () => (await import("../memory/restore.ts")).restore,
  memory: async () => (await import("../memory/memory-drafts.ts")).memory,
  capture: async () => (await import("../memory/capture.ts")).capture,
  export: async () => (await import("../memory/export.ts")).exportRecords,
  import: async () => (await import("../memory/import.ts")).importRecords,
  documents: async () => (await import("../library/documents.ts")).documents,
  put_document: async () => (await import("../library/put-document.ts")).putDocument,
  put_documents: async () => (await import("../library/put-documents.ts")).putDocuments,
  get_document: async () => (await import("../library/get-document.ts")).getDocument,
  move_document: async () => (await import("../library/move-document.ts")).moveDocument,
  delete_document: async () => (await import("../library/delete-document.ts")).deleteDocument,
  restore_document: async () => (await import("../library/restore-document.ts")).restoreDocument,
  threads: async () => (await import("../library/threads.ts")).threads,
  thread: async () => (await import("../library/thread.ts")).thread,
  say: async () => (await import("../library/say.ts")).say,
  import_thread: async () => (await import("../library/import-thread.ts")).importThread,
  references: async () => (await import("../library/references.ts")).references,
  mentions: async () => (await import("../library/mentions.ts")).mentions,
  feedback: async () => (await import("../chat/feedback.ts")).feedback,
  cited: async () => (await import("../chat/cited.ts")).cited,
  experience: async () => (await import("../experience/experience.ts")).experience,
  run: async () => (await import("../experience/run.ts")).run,
  experiences: async () => (await import("../experience/experiences.ts")).experiences,
  clusters: async () => (await import("../experience/clusters.ts")).clusters,
  value: async () => (await import("../experience/value.ts")).value,
  values: async () => (await import("../experience/values.ts")).values,
  history: async () => (await import("../history/history.ts")).history,
  authors: async () => (await import("../history/authors.ts")).authors,
  churn: async () => (await import("../history/churn.ts")).churn,
  index: async () => (await import("../index/index-workspace.ts")).index,
  status: async () => (await import("../index/status.ts")).status,
  files: async () => (await import("../index/files.ts")).files,
  context_stats: async () => (await import("../chat/context-stats.ts")).contextStats,
  model: async () => (await import("../model/model.ts")).model,
  eval: async () => (await import("../eval/eval.ts")).evaluate,
  eval_history: async () => (await import("../eval/eval-history.ts")).evalHistory,
  workspaces: async () => (await import("../index/workspaces.ts")).workspaces,
  name_workspace: async () => (await import("../index/name-workspace.ts")).nameWorkspace,
  unname_workspace: async () => (await import("../index/unname-workspace.ts")).unnameWorkspace,
  doctor: async () => (await import("../index/doctor.ts")).doctor,
  store: async () => (await import("../store/store.ts")).store,
  mcp: async () => (await import("../serve/mcp.ts")).mcp,
  hook: async () => (await import("../briefings/hook.ts")).hook,
  serve: async () => (await import("../serve/serve.ts")).serve,
  whoami: async () => (await import("../serve/whoami.ts")).whoami,
  inspect: async () => (await import("../serve/inspect.ts")).inspect,
  engine: async () => (await import("../serve/engine.ts")).engine,
  keys: async () => (await import("../serve/keys.ts")).keys,
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
