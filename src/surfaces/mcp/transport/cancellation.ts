import { isObject } from "../../../text/json/is-object.ts";

/**
 * Running requests over HTTP. Each request has a server of its own, so a cancellation arrives at another one: here
 * the two meet, by caller, session and request id.
 */
export type Cancellation = {
  /** Aborted when the request is cancelled; `ended` forgets it. */
  begin(asker: string, id: unknown): { signal: AbortSignal; ended(): void };
  /** Takes a message; one that cancels a request stops its work. */
  hear(asker: string, message: unknown): void;
};

export function createCancellation(): Cancellation {
  const running = new Map<string, Set<AbortController>>();
  const keyOf = (asker: string, id: unknown) => JSON.stringify([asker, id]);
  return {
    begin(asker, id) {
      const key = keyOf(asker, id);
      const controller = new AbortController();
      const controllers = running.get(key) ?? new Set();
      running.set(key, controllers.add(controller));
      return {
        signal: controller.signal,
        ended() {
          controllers.delete(controller);
          if (controllers.size === 0 && running.get(key) === controllers) running.delete(key);
        },
      };
    },
    hear(asker, message) {
      if (!isObject(message) || message.method !== "notifications/cancelled" || !isObject(message.params)) return;
      const controllers = running.get(keyOf(asker, message.params.requestId)) ?? new Set();
      // Two clients that share a key and name no session cannot be told apart, so with several matches nothing is
      // cancelled.
      if (controllers.size === 1) for (const controller of controllers) controller.abort();
    },
  };
}
