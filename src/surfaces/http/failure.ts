import { asDossierError, type DossierError, type ErrorCode, errorCodes } from "../../errors.ts";
import { remoteMessage } from "../remote-failure.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { TooManyRequests } from "./token-bucket.ts";

/** The body of every failure. */
type HttpFailure = { error: { code: ErrorCode; message: string; fix: string; requestId: string } };

/** Advice for programs, if that of the command line would not help. */
const fixes: Partial<Record<ErrorCode, string>> = {
  "bad-input": "GET /openapi.json says what each route takes.",
  "empty-query": "Give a question or a name as query.",
  "budget-too-small": "Raise maxTokens.",
  "looks-secret": "Leave the secret out; or set force to keep it, and results will show a placeholder in its place.",
  "unknown-lens": "POST /v1/lenses lists what each of them does.",
  "unknown-workspace": "This server serves one workspace.",
  "not-found": "Check the id.",
  "not-indexed": "POST /v1/index with an admin key.",
  "store-damaged":
    "POST /v1/index with rebuild and an admin key builds the index anew; what was written down is untouched.",
  "embedder-mismatch": "POST /v1/index with rebuild and an admin key embeds the workspace anew.",
  "already-resolved":
    "Begin another one, write a note, or add what it lacks with the step amend of POST /v1/experience.",
  "does-not-fit":
    "Say what the cluster's experiences have in common; the step propose of POST /v1/value gives a text that fits.",
  "no-active-experience": "Begin one with POST /v1/experience.",
  "live-unavailable": "Start the notes application on the server's machine; or set offline to answer from local data.",
  "store-locked": "Another process is writing. Wait a moment and try again.",
  interrupted: "Ask again.",
  internal: "Try again; the server's log has the details under this request's id.",
};

export function fixOf(code: ErrorCode): string {
  return fixes[code] ?? errorCodes[code].fix;
}

type DescribedFailure = { error: DossierError; body: HttpFailure };

export function failureOf(thrown: unknown, requestId: string): DescribedFailure {
  const error = asDossierError(thrown);
  return {
    error,
    body: { error: { code: error.code, message: remoteMessage(error), fix: fixOf(error.code), requestId } },
  };
}

/** Counts a failure, and logs what the client does not see: the cause, if the server is at fault. */
export function noteFailure({ error, body }: DescribedFailure, { metrics, log }: { metrics: Metrics; log: Log }): void {
  const { requestId } = body.error;
  metrics.failed(error.code);
  if (error.http >= 500 && error.http !== 503) log.error({ requestId, err: error.cause ?? error }, error.code);
  else log.debug({ requestId, code: error.code, reason: error.message }, "refused");
}

/** The headers that some failures need. */
export function failureHeaders(error: DossierError): Record<string, string> {
  if (error instanceof TooManyRequests) return { "Retry-After": String(error.retryAfter) };
  if (error.code === "no-key") return { "WWW-Authenticate": 'Bearer realm="dossier"' };
  if (error.code === "server-busy" || error.code === "store-locked" || error.code === "interrupted")
    return { "Retry-After": "1" };
  // The rest of a body that is too large is not read.
  if (error.code === "too-large") return { Connection: "close" };
  return {};
}
