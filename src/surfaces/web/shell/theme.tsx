import { createSharedValue, useSharedValue } from "./shared-value.ts";
import { keep, recall } from "./storage.ts";

const titles: Record<Theme, string> = { system: "Auto", light: "Light", dark: "Dark" };

export function ThemeButton() {
  const theme = useTheme();
  return (
    <label class="theme">
      <span class="unseen">Colours</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        {themes.map((name) => (
          <option key={name} value={name}>
            {titles[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const theme = createSharedValue<Theme>(themes.find((name) => name === recall("theme")) ?? "system");

function useTheme(): Theme {
  return useSharedValue(theme);
}

function setTheme(name: Theme): void {
  theme.set(name);
  keep("theme", name === "system" ? undefined : name);
  applyTheme();
}

export function applyTheme(): void {
  const name = theme.get();
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}
