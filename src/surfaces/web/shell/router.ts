import { createStore, useStore } from "./store.ts";

/**
 * Where the reader is: a view and its state, both in the address, so that an address can be shared and the back button works. They stand
 * after the #, which browsers do not send: a question is in no server's log.
 */
export type Location = { view: string; state: URLSearchParams };

const writeDelay = 120;

const location = createStore<Location>(read());
let unwritten: ReturnType<typeof setTimeout> | undefined;

function read(): Location {
  const [path = "", query = ""] = window.location.hash.replace(/^#\/?/, "").split("?", 2);
  return { view: path, state: new URLSearchParams(query) };
}

window.addEventListener("popstate", () => {
  clearTimeout(unwritten);
  location.set(read());
});

export function useLocation(): Location {
  return useStore(location);
}

export function addressOf(view: string, state: URLSearchParams): string {
  const query = state.toString();
  return `#/${view}${query === "" ? "" : `?${query}`}`;
}

/** To another view, which the back button leaves again. */
export function go(view: string, state: URLSearchParams = location.get().state): void {
  flush();
  window.history.pushState(null, "", addressOf(view, state));
  location.set({ view, state });
}

/** The same view in another state. Browsers limit how often an address may change, so what is typed is written a moment later. */
export function restate(change: (state: URLSearchParams) => void): void {
  const { view, state } = location.get();
  const next = new URLSearchParams(state);
  change(next);
  location.set({ view, state: next });
  clearTimeout(unwritten);
  unwritten = setTimeout(flush, writeDelay);
}

function flush(): void {
  clearTimeout(unwritten);
  const { view, state } = location.get();
  const address = addressOf(view, state);
  if (address !== window.location.hash) window.history.replaceState(null, "", address);
}

/** Links to views of this page are followed without the browser's help: what was typed a moment ago comes along. */
export function followLink(event: MouseEvent, view: string, state?: URLSearchParams): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(view, state);
}
