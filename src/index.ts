import type { z } from "zod";
import { type CallOptions, call } from "./operations/core/call.ts";
import type { Operation } from "./operations/core/operation.ts";
import { operationTable } from "./operations/core/registry.ts";
import type { AssembledContext, ResultOptions } from "./results/assemble-results.ts";
import type { SearchResult } from "./results/search-result.ts";

/** The library: every operation as a function, with the same options, defaults and results as on the command line. */

export { formatCitationsForResponse, type UsedCitation } from "./chat/citations.ts";
export type { Context, DocumentPart, Dropped, DropReason, LevelCost, TokenUse } from "./document.ts";
export { asDossierError, DossierError, type ErrorCode, errorCodes, InvalidContextTypeError } from "./errors.ts";
export type { Citation, Included, Item, Kind, Level, Link, Signals, SourceName } from "./item.ts";
export type { CallOptions } from "./operations/core/call.ts";
export type { Environment, Operation, Progress } from "./operations/core/operation.ts";
export type { Request, SearchRequest } from "./options.ts";
export { version } from "./package.ts";
export type { AssembledContext, ContextBlock, ContextSource, ResultOptions } from "./results/assemble-results.ts";
export type { SearchResult } from "./results/search-result.ts";
export { type Encoding, type TokenCounter, tokenCounter } from "./text/tokens/tokens.ts";
export {
  type TruncationOptions,
  type TruncationStrategy,
  truncateBookend,
  truncateHead,
  truncateSignatureFirst,
  truncationStrategies,
} from "./text/truncation/strategies.ts";
export { type OpenOptions, openWorkspace, type Workspace } from "./workspace/workspace.ts";

export const context = callable(operationTable.context);
export const contextQuery = callable(operationTable.context_query);
export const tanaContext = callable(operationTable.tana_context);
export const primeContext = callable(operationTable.prime_context);
export const contextStats = callable(operationTable.context_stats);
export const search = callable(operationTable.search);
export const why = callable(operationTable.why);
export const item = callable(operationTable.item);
export const open = callable(operationTable.open);
export const graph = callable(operationTable.graph);
export const files = callable(operationTable.files);
export const whoami = callable(operationTable.whoami);
export const evalHistory = callable(operationTable.eval_history);
export const index = callable(operationTable.index);
export const status = callable(operationTable.status);
export const verify = callable(operationTable.verify);
export const diff = callable(operationTable.diff);
export const evaluate = callable(operationTable.eval);
export const notes = callable(operationTable.notes);
export const lenses = callable(operationTable.lenses);
export const model = callable(operationTable.model);
export const workspaces = callable(operationTable.workspaces);
export const assembleContext = callable(operationTable.assemble_context);
export const getPremortemContext = callable(operationTable.get_premortem_context);
export const experience = callable(operationTable.experience);
export const experiences = callable(operationTable.experiences);
export const remember = callable(operationTable.remember);
export const memories = callable(operationTable.memories);
export const memory = callable(operationTable.memory);
export const capture = callable(operationTable.capture);
export const edit = callable(operationTable.edit);
export const forget = callable(operationTable.forget);
export const restore = callable(operationTable.restore);
export const exportRecords = callable(operationTable.export);
export const importRecords = callable(operationTable.import);
export const documents = callable(operationTable.documents);
export const putDocument = callable(operationTable.put_document);
export const putDocuments = callable(operationTable.put_documents);
export const getDocument = callable(operationTable.get_document);
export const moveDocument = callable(operationTable.move_document);
export const deleteDocument = callable(operationTable.delete_document);
export const restoreDocument = callable(operationTable.restore_document);
export const threads = callable(operationTable.threads);
export const thread = callable(operationTable.thread);
export const say = callable(operationTable.say);
export const importThread = callable(operationTable.import_thread);
export const references = callable(operationTable.references);
export const mentions = callable(operationTable.mentions);
export const feedback = callable(operationTable.feedback);
export const cited = callable(operationTable.cited);
export const clusters = callable(operationTable.clusters);
export const value = callable(operationTable.value);
export const values = callable(operationTable.values);
export const history = callable(operationTable.history);
export const authors = callable(operationTable.authors);
export const churn = callable(operationTable.churn);
export const doctor = callable(operationTable.doctor);

/**
 * A document of your own search results: their files are read now, below `projectRoot` and nowhere else, and what is
 * printed stays within `maxTokens`. It needs no index.
 */
export async function assembleResults(results: SearchResult[], options?: ResultOptions): Promise<AssembledContext> {
  return (await import("./results/assemble-results.ts")).assembleResults(results, options);
}

/** Loaded when first called, so that importing the library costs next to nothing. */
function callable<Input extends z.ZodObject, Output extends z.ZodType>(load: () => Promise<Operation<Input, Output>>) {
  return async (input: z.input<Input>, options?: CallOptions): Promise<z.output<Output>> => {
    const { output } = await call(await load(), input, options);
    return output;
  };
}
