import { withoutPart, withPart } from "../../text/json/json-edit.ts";
import { nodeAt } from "../../text/json/parse-json.ts";
import { type ConfigFile, changeConfigFile, openConfigFile, parseConfig } from "../config-file.ts";
import { configPath, type WorkspaceConfig } from "./config.ts";
import { configOf } from "./config-settings.ts";
import type { WeightSettings } from "./weights-config.ts";

/** Changes to one section of the workspace's config file. Everything else in it stays as its user wrote it. */
type Section = "weights" | "model";

/** Replaces the section; creates the file where there is none. */
export function writeSection<Name extends Section>(
  root: string,
  name: Name,
  value: NonNullable<WorkspaceConfig[Name]>,
): void {
  const path = configPath(root);
  changeConfigFile(path, (file) => {
    if (!file) return checkedText(path, `${JSON.stringify({ [name]: value }, null, 2)}\n`);
    const text = without(file, name);
    const rest = parseConfig(path, text);
    return checkedText(path, withPart(text, rest.root, value, name));
  });
}

/** Removes the section and returns its value; undefined where there is none. */
export function removeSection<Name extends Section>(root: string, name: Name): WorkspaceConfig[Name] {
  const path = configPath(root);
  const file = openConfigFile(path);
  const removed = file && configOf(file)[name];
  if (!removed) return undefined;
  changeConfigFile(path, (now) => (now ? checkedText(path, without(now, name)) : "{}\n"));
  return removed;
}

function without(file: ConfigFile, name: Section): string {
  const position = file.root.parts?.findIndex(({ key }) => key === name) ?? -1;
  return position < 0 ? file.text : withoutPart(file.text, nodeAt(file.root, []), position);
}

/** A text that the next question can read. */
function checkedText(path: string, text: string): string {
  configOf(parseConfig(path, text));
  return text;
}

/** Replaces the weights; creates the file where there is none. */
export function writeWeights(root: string, weights: WeightSettings): void {
  writeSection(root, "weights", weights);
}

/** Removes the weights and returns them; undefined where there are none. */
export function removeWeights(root: string): WeightSettings | undefined {
  return removeSection(root, "weights");
}
