import { keep, recall } from "./storage.ts";
import { createStore, useStore } from "./store.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const theme = createStore<Theme>(themes.find((name) => name === recall("theme")) ?? "system");

export function useTheme(): Theme {
  return useStore(theme);
}

export function setTheme(name: Theme): void {
  theme.set(name);
  keep("theme", name === "system" ? undefined : name);
  applyTheme();
}

export function applyTheme(): void {
  const name = theme.get();
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}
