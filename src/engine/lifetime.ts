import { identityOf } from "./place.ts";
import type { Listening } from "./server.ts";

/** Why an engine ended. */
export type EngineEnding = "idle" | "workspace gone" | "place taken" | "asked to";

const idleSecondsAllowed = 600;
const betweenLooks = 2_000;

/**
 * Resolves when the engine should end: it had no request for ten minutes, its workspace's folder is gone or replaced,
 * its socket is gone or belongs to another engine, or it was asked to stop. Uses timers and the monotonic clock, which
 * nobody can set.
 */
export function untilEngineEnds(
  root: string,
  listening: Pick<Listening, "isInPlace" | "idleSeconds">,
  stopSignal: AbortSignal,
  { idleSeconds = idleSecondsAllowed, every = betweenLooks } = {},
): Promise<EngineEnding> {
  const identity = identityOf(root);
  return new Promise((done) => {
    const end = (ending: EngineEnding) => {
      clearInterval(interval);
      done(ending);
    };
    const interval = setInterval(() => {
      if (identity === undefined || identityOf(root) !== identity) end("workspace gone");
      else if (!listening.isInPlace()) end("place taken");
      else if (listening.idleSeconds() >= idleSeconds) end("idle");
    }, every);
    if (stopSignal.aborted) end("asked to");
    stopSignal.addEventListener("abort", () => end("asked to"), { once: true });
  });
}
