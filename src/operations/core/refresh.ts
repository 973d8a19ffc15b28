import { DossierError, type ErrorCode, unreadWarning } from "../../errors.ts";
import { type RecordType, recordTypes } from "../../stores/records.ts";
import { hasClosedRecords } from "../../workspace/database-paths.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { grouped } from "../terminal/phrases.ts";
import { closedRecords, unreadPart } from "./closed-records.ts";
import { type FirstQuestion, firstAnswer, isWhole } from "./first-answer.ts";
import type { Environment } from "./operation.ts";

/**
 * Brings the sources of a question up to date: files, history, records. On a first run this is the whole indexing,
 * with progress, or the part that the question needs where the rest is done later. A source that cannot be updated is
 * a warning, and is answered from what is indexed.
 */
export async function refreshSources(
  workspace: Workspace,
  environment: Environment,
  sources: readonly string[] = ["files"],
  question?: FirstQuestion,
): Promise<string[]> {
  const warnings = await (environment.fresh
    ? refreshElsewhere(workspace, environment, environment.fresh, sources)
    : refreshHere(workspace, environment, sources, question));
  if (sources.includes("note")) {
    const { refreshNoteSources } = await import("./refresh-notes.ts");
    const question = { query: "", offline: true };
    warnings.push(
      ...(await orWarning(async () => (await refreshNoteSources(workspace, environment, question)).warnings)),
    );
  }
  if (sources.some((source) => (recordTypes as readonly string[]).includes(source))) {
    warnings.push(
      ...(await orWarning(async () => (await import("../../indexing/library/lost-records.ts")).takeLoss(workspace))),
    );
  }
  if (sources.includes("memory")) warnings.push(...(await orWarning(() => unreadPart(workspace))));
  if (hasClosedRecords(workspace.root)) warnings.push(`${closedRecords} They are not in this answer.`);
  warnings.push(...(await orWarning(() => modelNotice(workspace))));
  workspace.leftOut = undefined;
  if (sources.includes("files") && !workspace.isPartial) {
    const setLeftOut = async () => {
      const { leftOut } = await import("../index/left-out.ts");
      workspace.leftOut = await leftOut(workspace, environment.signal);
      return [];
    };
    warnings.push(...(await orWarning(setLeftOut)));
  }
  environment.changed?.(workspace);
  // With a full disk every source would report it.
  return [...new Set(warnings)];
}

const notWhole = "Still being indexed: this answer is from what was read so far.";

/** Has another process index, and only what is out of date. */
async function refreshElsewhere(
  workspace: Workspace,
  { signal }: Environment,
  ask: NonNullable<Environment["fresh"]>,
  sources: readonly string[],
): Promise<string[]> {
  const { staleSources } = await import("../../indexing/stale-sources.ts");
  let stale: string[] = [];
  const unread = await orWarning(async () => {
    stale = await staleSources(workspace, sources, signal);
    return [];
  });
  const warnings = stale.length > 0 ? await ask(stale) : [];
  workspace.isPartial = stale.includes("files") && !(await isWhole(workspace));
  workspace.unread = workspace.isPartial ? { sentence: warnings[0] ?? notWhole, files: true } : undefined;
  return [...unread, ...warnings];
}

/** In this process: files, records, documents, messages, history. */
export async function refreshHere(
  workspace: Workspace,
  environment: Environment,
  sources: readonly string[],
  question?: FirstQuestion,
): Promise<string[]> {
  const { signal, progress, askedAt } = environment;
  // May remain from an earlier question, before everything was indexed.
  workspace.whole = undefined;
  const first = question && (await firstAnswer(workspace, environment, sources, question));
  workspace.unread = first?.unread;
  const warnings: string[] = [...(first?.warnings ?? [])];
  if (sources.includes("files") && !first?.files) {
    const { ensureFresh } = await import("../../indexing/files/fresh.ts");
    warnings.push(...(await ensureFresh(workspace, { signal, progress, askedAt })));
  }
  for (const type of recordTypes) {
    if (sources.includes(type)) warnings.push(...(await orWarning(() => refreshOne(workspace, type, environment))));
  }
  warnings.push(...(await orWarning(() => refreshLibrary(workspace, environment, sources))));
  if (sources.includes("commit") && !first?.withoutHistory) {
    const { refreshHistory } = await import("../../indexing/history/history.ts");
    warnings.push(...(await orWarning(async () => (await refreshHistory(workspace, { signal, progress })).warnings)));
  }
  return warnings;
}

/**
 * Applies the configured model, and reports how far its vectors are while they are not complete. A question never
 * waits for them.
 */
async function modelNotice(workspace: Workspace): Promise<string[]> {
  const { readableModel, vectorProgress } = await import("../../indexing/vectors/configured-model.ts");
  const configured = await readableModel(workspace);
  if (!configured?.config) return [];
  const { config, state, waits } = configured;
  if (waits !== undefined) return [waits];
  const { configKey, knownVectors, modelName } = await import("../../embed/model-state.ts");
  const vectorSet = knownVectors(state, config);
  if (vectorSet?.complete && configKey(vectorSet.config) === configKey(config)) return [];
  const { items, vectors } = await vectorProgress(workspace);
  if (items === 0) return [];
  const vectorCount = vectorSet ? (vectors.get(vectorSet.key) ?? 0) : 0;
  const progressText = `${grouped(vectorCount)} of ${grouped(items)} vectors of the model ${modelName(config)} are made`;
  return [`${progressText}; it answers once they all are. dossier index makes them.`];
}

/** Documents and messages, if any were ever kept. */
async function refreshLibrary(
  workspace: Workspace,
  { signal, progress }: Environment,
  sources: readonly string[],
): Promise<string[]> {
  if (!workspace.hasRecords()) return [];
  if (sources.includes("document")) {
    const { refreshDocuments } = await import("../../indexing/library/documents.ts");
    await refreshDocuments(workspace, { signal, progress });
  }
  if (sources.includes("message")) {
    const { refreshMessages } = await import("../../indexing/library/messages.ts");
    await refreshMessages(workspace, { signal, progress });
  }
  return [];
}

async function refreshOne(
  workspace: Workspace,
  type: RecordType,
  { signal, progress }: Environment,
): Promise<string[]> {
  const { refreshRecords } = await import("../../indexing/library/records.ts");
  await refreshRecords(workspace, type, { signal, progress });
  return [];
}

/** These errors only mean that one source is out of date or cannot answer: the others can. */
const tolerated: ErrorCode[] = [
  "store-locked",
  "not-readable",
  "disk-full",
  "git-failed",
  "records-damaged",
  "records-newer",
];

async function orWarning(work: () => Promise<string[]>): Promise<string[]> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DossierError) || !tolerated.includes(error.code)) throw error;
    return [unreadWarning(error) ?? `The index was not brought up to date: ${error.message}`];
  }
}
