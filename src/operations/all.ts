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
  verify: async () => (await import("./verify.ts")).verify,
  context_query: async () => (await import("./context-query.ts")).contextQuery,
  doctor: async () => (await import("./doctor.ts")).doctor,
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
