import { useEffect } from "preact/hooks";
import { views } from "../views.ts";
import { go } from "./router.ts";

const typing = "input, textarea, select, [contenteditable]";

/** `/` goes to the question; a digit to the view at that place. Nothing happens while somebody types. */
export function useShortcuts(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(typing)) return;
      if (event.key === "/") {
        event.preventDefault();
        if (!focusQuestion()) {
          go(views[0]!.name);
          requestAnimationFrame(focusQuestion);
        }
        return;
      }
      const view = /^[1-9]$/.test(event.key) ? views[Number(event.key) - 1] : undefined;
      if (view) go(view.name);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}

function focusQuestion(): boolean {
  const box = document.querySelector<HTMLElement>("#question");
  box?.focus();
  return box !== null;
}
