import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { DossierError, stopIfAborted } from "../../errors.ts";
import { boundedText } from "../../text/bounded-text.ts";
import { brokenConnections, fetchError } from "../../text/fetch-error.ts";

/** Limit of concurrent requests: Tana Desktop answers them in the thread that draws its window. */
const mostAtOnce = 6;
const attempts = 3;
const usualTimeout = 30_000;
/** A thousand nodes are half a megabyte. */
const longestBody = 8 * 1024 * 1024;
/** Transient errors: Tana is starting, or was busy. */
const passing = new Set([502, 503, 504]);

/** The answer for a path that does not exist. */
export const missing = Symbol("missing");

export type RequestsOptions = {
  /** Without a trailing slash. */
  address: string;
  token: string;
  tokenVariable: string;
  timeout?: number;
};

export type GetOptions = {
  parameters?: URLSearchParams;
  signal?: AbortSignal;
  /** Sent once, without the token and with this time limit in milliseconds. */
  openWithin?: number;
};

export type Requests = {
  /** The JSON at a path, or `missing`. Every failure is a DossierError with a complete sentence. */
  get(path: string, options?: GetOptions): Promise<unknown>;
  /** Number of HTTP requests so far, retries included. */
  sent(): number;
};

export function openRequests({ address, token, tokenVariable, timeout = usualTimeout }: RequestsOptions): Requests {
  const gate = openGate(mostAtOnce);
  let sent = 0;
  const unavailable = (problem: string, cause?: unknown) =>
    new DossierError("live-unavailable", `Tana's Local API at ${address} ${problem}.`, { cause });

  async function get(path: string, { parameters, signal, openWithin }: GetOptions = {}): Promise<unknown> {
    const query = parameters && parameters.size > 0 ? `?${parameters}` : "";
    const url = `${address}${path}${query}`;
    const leave = await gate.enter(signal);
    try {
      for (let attempt = 1; ; attempt++) {
        const answer = await once(url, openWithin, signal);
        if (!("passing" in answer)) return answer.value;
        if (attempt === attempts || openWithin !== undefined) throw answer.passing;
        await pause(100 * attempt ** 2, undefined, { signal }).catch(() => stopIfAborted(signal));
      }
    } finally {
      leave();
    }
  }

  async function once(
    url: string,
    openWithin: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ value: unknown } | { passing: DossierError }> {
    stopIfAborted(signal);
    sent++;
    const within = openWithin ?? timeout;
    const late = AbortSignal.timeout(within);
    const headers: Record<string, string> = { accept: "application/json" };
    if (openWithin === undefined) headers.authorization = `Bearer ${token}`;
    try {
      const response = await fetch(url, {
        headers,
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      if (response.ok) return { value: parsed(await textOf(response)) };
      await response.body?.cancel();
      if (response.status === 404) return { value: missing };
      const failure = statusFailure(response.status);
      if (passing.has(response.status)) return { passing: failure };
      throw failure;
    } catch (error) {
      if (error instanceof DossierError) throw error;
      stopIfAborted(signal);
      if (late.aborted)
        throw unavailable(`did not answer within ${within >= 1000 ? `${within / 1000} s` : `${within} ms`}`);
      if (brokenConnections.has(fetchError(error).code ?? ""))
        return { passing: unavailable("broke the connection", error) };
      throw unreachable(error);
    }
  }

  function unreachable(error: unknown): DossierError {
    const { code = "" } = fetchError(error);
    if (code === "ECONNREFUSED") return unavailable("cannot be reached: nothing listens there", error);
    return unavailable(`cannot be reached${code === "" ? "" : ` (${code})`}`, error);
  }

  function statusFailure(status: number): DossierError {
    if (status === 401 || status === 403) {
      return new DossierError(
        "live-refused",
        `Tana's Local API at ${address}: the token in ${tokenVariable} was refused.`,
      );
    }
    if (status >= 300 && status < 400) return unavailable("answered with a redirect, which is not followed");
    return unavailable(`answered with status ${status}`);
  }

  async function textOf(response: Response): Promise<string> {
    const text = await boundedText(response.body, longestBody);
    if (text === undefined) throw unavailable(`sent more than ${longestBody / 1024 / 1024} MB in one answer`);
    return text;
  }

  function parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw unavailable("answered with something that is not JSON", error);
    }
  }

  return { get, sent: () => sent };
}

type Gate = { /** Waits for a place; the answer gives it back. */ enter(signal?: AbortSignal): Promise<() => void> };

function openGate(places: number): Gate {
  const waiting: (() => void)[] = [];
  let free = places;
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  return {
    async enter(signal) {
      stopIfAborted(signal);
      if (free > 0) free--;
      else await turn(waiting, signal);
      return leave;
    },
  };
}

function turn(waiting: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = () => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = () => {
      waiting.splice(waiting.indexOf(take), 1);
      reject(new DossierError("interrupted", "Interrupted.", { cause: signal?.reason }));
    };
    // All waiting requests may share one signal; more than ten listeners would be reported as a leak.
    if (signal) setMaxListeners(0, signal);
    signal?.addEventListener("abort", giveUp, { once: true });
    waiting.push(take);
  });
}
