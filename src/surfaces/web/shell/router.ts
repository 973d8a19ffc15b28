import { addressOf, type Location, readAddress } from "./address.ts";
import { createSharedValue, useSharedValue } from "./shared-value.ts";

const writeDelay = 120;

const location = createSharedValue<Location>(readAddress(window.location.hash));
let unwritten: ReturnType<typeof setTimeout> | undefined;

window.addEventListener("popstate", () => {
  clearTimeout(unwritten);
  location.set(readAddress(window.location.hash));
});

export function useLocation(): Location {
  return useSharedValue(location);
}

/** To another view, which the back button leaves again. */
export function go(view: string, state: URLSearchParams = location.get().state): void {
  flush();
  window.history.pushState(null, "", addressOf(view, state));
  location.set({ view, state });
}

/**
 * The same view in another state. Browsers limit how often an address may change, so what is typed is written a moment
 * later.
 */
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
