import type { FailureCode } from "./types.ts";

type Facts = {
  code: FailureCode;
  message: string;
  fix: string;
  status?: number;
  requestId?: string;
  retryAfter?: number;
  cause?: unknown;
};

/** A request that failed: what is wrong, what to do, and the request's id in the server's log. */
export class RequestFailure extends Error {
  readonly code: FailureCode;
  readonly fix: string;
  readonly status?: number;
  readonly requestId?: string;
  /** Seconds to wait before the next attempt, if the server states them. */
  readonly retryAfter?: number;
  constructor({ code, message, fix, status, requestId, retryAfter, cause }: Facts) {
    super(message, { cause });
    this.name = "RequestFailure";
    this.code = code;
    this.fix = fix;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** Reads the failure from a server's answer. A server that is not ours sends no code. */
export async function failureOf(response: Response): Promise<RequestFailure> {
  const text = await response.text();
  const seconds = Number(response.headers.get("retry-after"));
  const common = {
    status: response.status,
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfter: seconds > 0 ? seconds : undefined,
  };
  return failureFrom(text, common);
}

export function failureFrom(
  text: string,
  common: Pick<Facts, "status" | "requestId" | "retryAfter"> = {},
): RequestFailure {
  const errorBody = parsed(text)?.error;
  if (errorBody && typeof errorBody.code === "string" && typeof errorBody.message === "string") {
    return new RequestFailure({ ...common, ...errorBody, fix: errorBody.fix ?? "" });
  }
  const status = common.status === undefined ? "" : ` (status ${common.status})`;
  const message = `The answer is not one of Dossier's${status}.`;
  return new RequestFailure({ ...common, code: "bad-answer", message, fix: "Check that dossier serve listens there." });
}

function parsed(text: string): { error?: Facts } | undefined {
  try {
    return JSON.parse(text) as { error?: Facts };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
