import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { DossierError } from "../../errors.ts";
import { failureOf } from "./failure.ts";

/**
 * Answers requests that are not HTTP or arrive too slowly. They never reach a route, but get an answer of the same
 * shape.
 */

/** For a request whose address or host cannot be read. */
export function brokenRequest(error: unknown): Response {
  const isRequest = error instanceof Error && error.name === "RequestError";
  const failure = isRequest
    ? new DossierError("bad-input", "The address or the host of this request cannot be read.")
    : error;
  const { error: dossierError, body } = failureOf(failure, randomUUID());
  return Response.json(body, { status: dossierError.http });
}

/** For a client to read why its connection is closed. */
const millisecondsToRead = 500;

const answers: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive in time."],
  HPE_HEADER_OVERFLOW: [431, "The headers are too large."],
};

/** For a connection on which no request could be read. */
export function answerBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, message] = answers[error.code ?? ""] ?? [400, "This is not an HTTP request."];
  const { body } = failureOf(new DossierError("bad-input", message), randomUUID());
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    // A peer that never closes its side would keep the connection half open, and its slot, for good.
    () => setTimeout(() => (socket as Socket).resetAndDestroy(), millisecondsToRead).unref(),
  );
}
