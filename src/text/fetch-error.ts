/** Codes of connections that broke under a request, which may succeed when it is repeated. */
export const brokenConnections: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

/**
 * The system error code of a failed `fetch`, or a code of undici's own. fetch throws "fetch failed" and puts the reason
 * into the cause. `message`: of the last cause.
 */
export function fetchError(error: unknown): { code?: string; message: string } {
  const { code, cause, message } = (error ?? {}) as { code?: unknown; cause?: unknown; message?: unknown };
  if (cause !== undefined && cause !== error) return fetchError(cause);
  return { ...(typeof code === "string" && { code }), message: String(message ?? "") };
}
