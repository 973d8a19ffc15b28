import { useEffect, useRef, useState } from "preact/hooks";
import { type Client, RequestFailure } from "../../../client/client.ts";
import { useSharedValue } from "../shell/shared-value.ts";
import { currentClient, lostServer, needKey, session } from "./session.ts";

export type RequestState<Result> = {
  /** The last answer; it stays while the next one is asked for, and when that fails. */
  result?: Result;
  failure?: RequestFailure;
  loading: boolean;
  /** Milliseconds from asking to the answer. */
  took?: number;
  again: () => void;
};

type Ask<Result> = (client: Client, signal: AbortSignal) => Promise<Result>;

/** Failures worth a retry: too many requests, a busy server, a locked store. */
const passing = new Set<string>(["server-busy", "too-many-requests", "store-locked"]);
const usualPause = 2;

/**
 * Asks the service, and again whenever `key` changes, which aborts the request before. A server that is gone, or a
 * key that is refused, concerns the whole page (`session`); when that is settled the request is sent again. Without a
 * key nothing is sent.
 */
export function useRequest<Result>(key: string | undefined, ask: Ask<Result>, delay = 0): RequestState<Result> {
  const [state, setState] = useState<Omit<RequestState<Result>, "again">>({ loading: key !== undefined });
  const hasAsked = useRef(false);
  const [attempt, setAttempt] = useState(0);
  const { round } = useSharedValue(session);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (key === undefined) {
      setState({ loading: false });
      return;
    }
    const aborting = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    setState((before) => ({ ...before, loading: true }));
    const run = async () => {
      const started = performance.now();
      try {
        const result = await latest.current(currentClient(), aborting.signal);
        if (!aborting.signal.aborted) setState({ result, loading: false, took: performance.now() - started });
      } catch (error) {
        if (aborting.signal.aborted) return;
        const failure = failureFrom(error);
        report(failure);
        setState((before) => ({ ...before, failure, loading: failure.code === "unreachable" }));
        if (failure.retryAfter !== undefined || passing.has(failure.code))
          timer = setTimeout(() => void run(), (failure.retryAfter ?? usualPause) * 1000);
      }
    };
    // The first question was not typed letter by letter.
    timer = setTimeout(() => void run(), hasAsked.current ? delay : 0);
    hasAsked.current = true;
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [key, round, attempt]);
  return { ...state, again: () => setAttempt((before) => before + 1) };
}

/** One request that somebody clicked for: its answer, or the failure that is also reported to the page. */
export async function perform<Result>(ask: (client: Client) => Promise<Result>): Promise<Result> {
  try {
    return await ask(currentClient());
  } catch (error) {
    const failure = failureFrom(error);
    report(failure);
    throw failure;
  }
}

function report({ code, message }: RequestFailure): void {
  if (code === "unreachable") lostServer();
  if (code === "no-key") needKey(message);
}

function failureFrom(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RequestFailure({ code: "bad-answer", message, fix: "Reload the page.", cause: error });
}
