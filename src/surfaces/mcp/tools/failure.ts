import { asDossierError, type DossierError, type ErrorCode } from "../../../errors.ts";
import { asSentence } from "../../../text/as-sentence.ts";
import { remoteMessage } from "../../remote-failure.ts";

/** A failure in an agent's words. */
export type ToolFailure = { code: ErrorCode; message: string; fix: string };

/** Advice for agents, if that of the command line would not help. */
const fixes: Partial<Record<ErrorCode, string>> = {
  "bad-input": "Correct the arguments and call again.",
  "empty-query": "Give a question or a name as query.",
  "budget-too-small": "Raise max_tokens.",
  "looks-secret": "Leave the secret out; or set force to keep it, and answers will show a placeholder in its place.",
  "does-not-fit": "Say what the cluster's experiences have in common.",
  "already-resolved": "Begin another one with experience start, or amend it.",
  "no-active-experience": "Begin one with experience start.",
  "unknown-lens": "Use general, writing, coding, planning or meeting-prep.",
  "unknown-workspace": "Leave project out to ask the folder at hand.",
  "outside-root": "Name a workspace, or a folder inside the ones that the client opened.",
  "not-found": "Check the id.",
  "not-indexed": "Ask a question first: that builds the index.",
  "refused-root": "Open a project folder, or ask the user to run dossier index --force there.",
  "not-allowed": "The user can make a key of a larger scope with dossier key create.",
  "live-unavailable": "Ask the user to start the notes application; or set offline to answer from local data.",
  "store-locked": "Another process is writing. Wait a moment and call again.",
  "server-busy": "Wait a moment and call again.",
  "timed-out": "Ask for less, or call again: what was indexed so far is kept.",
  interrupted: "Call again.",
  internal: "Call again; if it fails again, tell the user.",
};

export function failureOf(thrown: unknown, from: "local" | "remote"): ToolFailure & { error: DossierError } {
  const error = asDossierError(thrown);
  const message = from === "remote" ? remoteMessage(error) : error.message;
  return { code: error.code, message: asSentence(message), fix: fixes[error.code] ?? error.fix, error };
}
