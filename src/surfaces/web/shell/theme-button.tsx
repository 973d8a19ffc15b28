import { setTheme, type Theme, themes, useTheme } from "./theme.ts";

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
