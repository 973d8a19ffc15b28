import { setTimeout as pause } from "node:timers/promises";
import { DossierError, stopIfAborted } from "../../errors.ts";
import { boundedText } from "../../text/bounded-text.ts";
import { brokenConnections, fetchError } from "../../text/fetch-error.ts";

/** Retries and timeouts of a request. Tests shorten them. */
export type RequestLimits = {
  /** Attempts before a temporary failure is reported. */
  attempts: number;
  /** Milliseconds for one request, from sending it to the end of the answer. */
  timeout: number;
  /** Milliseconds before the second attempt; the pause doubles with each further one. */
  firstPause: number;
  /** If a server asks for a longer pause, the request fails. */
  longestPause: number;
};

/** Statuses that are worth a retry: too many requests, or a server that is starting or busy. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504, 529]);
/** 64 vectors of 4,096 components take some 6 MB. */
const longestAnswer = 64 * 1024 * 1024;

/** A request that the server understood and refused, because of a field, a text, or the size of the batch. */
export class RefusedInput extends DossierError {}

export type Poster = {
  /**
   * Sends JSON and returns the JSON of the answer. Every failure is a DossierError with a complete sentence, and none
   * contains the key.
   */
  post(body: object, patience: RequestLimits, signal?: AbortSignal): Promise<unknown>;
  /** Describes a failure of this server, in a sentence. */
  unavailable(what: string, cause?: unknown): DossierError;
};

/** Posts to one address only: redirects are not followed, since they could carry texts and key to another server. */
export function openPoster(url: URL, key: { value: string; variable: string } | undefined): Poster {
  const address = `${url.origin}${url.pathname}`;
  // A 429 delays all running requests, not only the one that received it.
  let pausedUntil = 0;

  const unavailable = (problem: string, cause?: unknown) =>
    new DossierError("model-unavailable", `The model's server at ${address} ${problem}.`, { cause });

  async function post(body: object, patience: RequestLimits, signal?: AbortSignal): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      await pauseFor(allowed(pausedUntil - performance.now(), patience), signal);
      const answer = await once(body, patience, signal);
      if ("value" in answer) return answer.value;
      if (attempt >= patience.attempts) throw answer.passing;
      // Jitter: clients that failed together must not retry together.
      const backoff =
        Math.min(patience.longestPause, patience.firstPause * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
      if (answer.retryAfter === undefined) await pauseFor(backoff, signal);
      else pausedUntil = Math.max(pausedUntil, performance.now() + answer.retryAfter);
    }
  }

  function allowed(wait: number, { longestPause }: RequestLimits): number {
    if (wait <= longestPause) return wait;
    throw unavailable(`has too many requests and asks to wait ${Math.ceil(wait / 1000)} s`);
  }

  type Outcome = { value: unknown } | { passing: DossierError; retryAfter?: number };

  async function once(body: object, { timeout }: RequestLimits, signal?: AbortSignal): Promise<Outcome> {
    stopIfAborted(signal);
    const timeoutSignal = AbortSignal.timeout(timeout);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          ...(key && { authorization: `Bearer ${key.value}` }),
        },
        body: JSON.stringify(body),
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
      });
      const text = await textOf(response);
      if (response.ok) return { value: parsed(text) };
      const failure = statusFailure(response.status, text);
      if (!passing.has(response.status)) throw failure;
      return { passing: failure, retryAfter: retryAfter(response.headers.get("retry-after")) };
    } catch (error) {
      if (error instanceof DossierError) throw error;
      stopIfAborted(signal);
      if (timeoutSignal.aborted) throw unavailable(`did not answer within ${seconds(timeout)}`);
      const { message, code = message } = fetchError(error);
      if (brokenConnections.has(code)) return { passing: unavailable("broke the connection", error) };
      if (code === "ECONNREFUSED") throw unavailable("cannot be reached: nothing listens there", error);
      if (code === "ENOTFOUND") throw unavailable(`cannot be reached: there is no host ${url.hostname}`, error);
      throw unavailable(`cannot be reached${code === "" ? "" : ` (${code})`}`, error);
    }
  }

  function statusFailure(status: number, text: string): DossierError {
    if (status === 401 || status === 403) {
      // A server's message about a key may contain part of it.
      const problem = key ? `refused the key in ${key.variable}` : "wants a key, and none is configured";
      return new DossierError("model-refused", `The model's server at ${address} ${problem} (status ${status}).`);
    }
    if (status >= 300 && status < 400) return unavailable("answered with a redirect, which is not followed");
    const reason = reasonIn(text, key?.value);
    const sentence = `answered with status ${status}${reason && `: ${reason}`}`;
    if (status === 400 || status === 413 || status === 422) {
      return new RefusedInput("model-unavailable", `The model's server at ${address} ${sentence}.`);
    }
    return unavailable(sentence);
  }

  async function textOf(response: Response): Promise<string> {
    const text = await boundedText(response.body, longestAnswer);
    if (text === undefined) throw unavailable(`sent more than ${longestAnswer / 1024 / 1024} MB in one answer`);
    return text;
  }

  function parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      if (/\b(?:NaN|Infinity)\b/.test(text)) throw unavailable("answered with vectors that hold no numbers", error);
      throw unavailable(text === "" ? "answered with nothing" : "answered with something that is not JSON", error);
    }
  }

  return { post, unavailable };
}

/** The reason that the server states, in one short line and without the key. */
function reasonIn(text: string, key: string | undefined): string {
  let message: unknown = text;
  try {
    const json = JSON.parse(text) as { error?: { message?: unknown } | string; message?: unknown; detail?: unknown };
    message = (typeof json.error === "object" ? json.error?.message : json.error) ?? json.message ?? json.detail;
  } catch {
    // The beginning of a page or of plain text is enough.
    message = text.replace(/<[^>]*>/g, " ");
  }
  if (typeof message !== "string") return "";
  const line = (key ? message.replaceAll(key, "…") : message).replace(/[\p{C}\s]+/gu, " ").trim();
  return line.slice(0, 200).replace(/\.+$/, "");
}

/** Milliseconds, from seconds or from a date; undefined for any other header. */
export function retryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const amount = Number(header);
  const wait = Number.isNaN(amount) ? Date.parse(header) - now : amount * 1000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

async function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds <= 0) return;
  await pause(milliseconds, undefined, { signal }).catch(() => stopIfAborted(signal));
}

function seconds(milliseconds: number): string {
  return milliseconds >= 1000 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}
