import { isObject } from "../../../text/json/is-object.ts";

/**
 * Requests over HTTP that are under way. Each has a server of its own, so that the message which cancels one reaches another: here they
 * find each other, by who asks, in which session and under which id.
 */
export type Cancelling = {
  /** Aborted when the request is cancelled; `ended` forgets it. */
  begin(asker: string, id: unknown): { signal: AbortSignal; ended(): void };
  /** Takes a message; one that cancels a request stops its work. */
  hear(asker: string, message: unknown): void;
};

export function createCancelling(): Cancelling {
  const running = new Map<string, Set<AbortController>>();
  const keyOf = (asker: string, id: unknown) => JSON.stringify([asker, id]);
  return {
    begin(asker, id) {
      const key = keyOf(asker, id);
      const controller = new AbortController();
      const same = running.get(key) ?? new Set();
      running.set(key, same.add(controller));
      return {
        signal: controller.signal,
        ended() {
          same.delete(controller);
          if (same.size === 0 && running.get(key) === same) running.delete(key);
        },
      };
    },
    hear(asker, message) {
      if (!isObject(message) || message.method !== "notifications/cancelled" || !isObject(message.params)) return;
      const same = running.get(keyOf(asker, message.params.requestId)) ?? new Set();
      // Two clients that share a key and name no session count alike: nobody's work is stopped for another's sake.
      if (same.size === 1) for (const controller of same) controller.abort();
    },
  };
}
