import { type Client, type ClientOptions, createClient, isServing } from "../../../client/client.ts";
import { createSharedValue, type SharedValue } from "../shell/shared-value.ts";
import { keep, recall } from "../shell/storage.ts";

/** The key in use, and whether the server answers. */
export type Session = {
  state: "open" | "needs-key" | "unreachable";
  /** The server's reason, where it refused the key. */
  reason?: string;
  /** Grows whenever asking again makes sense: a new key, a server that came back. */
  round: number;
};

export const session: SharedValue<Session> = createSharedValue<Session>({ state: "open", round: 0 });

const keyName = "key";
let key = recall(keyName, "session");

export function clientOptions(): ClientOptions {
  return { url: window.location.origin, key };
}

export function currentClient(): Client {
  return createClient(clientOptions());
}

export function hasKey(): boolean {
  return key !== undefined;
}

/**
 * Uses a key from now on; `keepIt` keeps it until the browser's tab is closed. Returns false where the browser keeps
 * nothing.
 */
export function useKey(secret: string, keepIt: boolean): boolean {
  key = secret;
  const isKept = keep(keyName, keepIt ? secret : undefined, "session");
  resume();
  return isKept || !keepIt;
}

export function forgetKey(): void {
  key = undefined;
  keep(keyName, undefined, "session");
  session.set({ state: "needs-key", round: session.get().round });
}

/** The server refuses who asks: the page asks for a key, and goes on where it was. */
export function needKey(reason: string): void {
  if (session.get().state === "needs-key") return;
  session.set({ state: "needs-key", reason: key === undefined ? undefined : reason, round: session.get().round });
}

const [firstPause, longestPause] = [1000, 8000];

/** The server is gone: looks for it until it is back, and then everything that is on the page is asked again. */
export function lostServer(): void {
  if (session.get().state === "unreachable") return;
  session.set({ state: "unreachable", round: session.get().round });
  const look = async (pause: number) => {
    if (session.get().state !== "unreachable") return;
    if (await isServing(clientOptions())) return resume();
    setTimeout(() => void look(Math.min(pause * 1.5, longestPause)), pause);
  };
  setTimeout(() => void look(firstPause), firstPause);
}

function resume(): void {
  session.set({ state: "open", round: session.get().round + 1 });
}
