import { DossierError } from "../../errors.ts";
import { grouped } from "../../operations/terminal/phrases.ts";
import { nestedDeeper } from "../json-depth.ts";

/** Inputs are flat except for the parts of messages; JSON that is nested deeper is an attack. */
export const deepest = 64;

/** The JSON object of a request's body; an absent body is an empty object. */
export async function readBody(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  const value = await readJson(request, maxBytes);
  if (value === undefined) return {};
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new DossierError("bad-input", "The body must be a JSON object, with the inputs by their names.");
}

/** The JSON of a request's body; undefined without a body. Reads no more than the limit. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const declaredBytes = Number(request.headers.get("content-length") ?? 0);
  if (declaredBytes > maxBytes && request.body) await discard(request.body.getReader());
  refuseLong(declaredBytes, maxBytes);
  if (!request.body) return undefined;
  const bytes = await readBytes(request.body, maxBytes);
  if (bytes.length === 0) return undefined;
  refuseOtherTypes(request.headers);
  return parsed(decoded(bytes));
}

async function readBytes(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(throwGone);
    if (done) return Buffer.concat(chunks, length);
    length += value.length;
    if (length > maxBytes) await discard(reader);
    refuseLong(length, maxBytes);
    chunks.push(value);
  }
}

/** Bytes that are read and discarded, and milliseconds to wait for the next ones. */
const mostDiscarded = 64 * 1024 * 1024;
const discardWait = 1000;

/**
 * Reads the rest of a body and discards it. Many clients send a whole body before they read; if the server stops
 * reading, the connection is reset and the answer that states the failure is lost.
 */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const ended = { done: true, value: undefined } as const;
  for (let length = 0; length < mostDiscarded; ) {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<typeof ended>((resolve) => {
      timer = setTimeout(() => resolve(ended), discardWait);
    });
    // Also ends if the client disconnects meanwhile.
    const { done, value } = await Promise.race([reader.read().catch(() => ended), timeout]);
    clearTimeout(timer);
    if (done) return;
    length += value.length;
  }
}

/** Reading a body fails only if its connection has ended. */
function throwGone(error: unknown): never {
  throw new DossierError("interrupted", "The client went away.", { cause: error });
}

function refuseLong(length: number, maxBytes: number): void {
  if (length <= maxBytes) return;
  throw new DossierError("too-large", `The body is larger than the ${grouped(maxBytes)} bytes this server takes.`);
}

function refuseOtherTypes(headers: Headers): void {
  const type = headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    const actual = type === "" ? "of no type" : `of the type ${JSON.stringify(type.slice(0, 60))}`;
    throw new DossierError("wrong-content-type", `The body is ${actual}; it must be application/json.`);
  }
  const charset = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1] ?? "utf-8";
  if (!/^utf-?8$/i.test(charset)) {
    throw new DossierError("wrong-content-type", `The body is in ${charset.slice(0, 60)}; it must be in UTF-8.`);
  }
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new DossierError(
      "wrong-content-type",
      `The body is encoded as ${JSON.stringify(encoding.slice(0, 60))}; send it plain.`,
    );
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DossierError("bad-input", "The body is not valid UTF-8.", { cause: error });
  }
}

function parsed(text: string): unknown {
  if (nestedDeeper(text, deepest)) {
    throw new DossierError("bad-input", `The body is nested deeper than ${deepest} levels.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The parser's own message repeats the text it failed on; the position is all that a caller needs.
    const at = /position (\d+)/.exec(String(error))?.[1];
    const where = at === undefined ? "" : ` It goes wrong at character ${Number(at) + 1}.`;
    throw new DossierError("bad-input", `The body is not valid JSON.${where}`, { cause: error });
  }
}
