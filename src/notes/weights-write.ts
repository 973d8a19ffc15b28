import { nodeAt } from "../text/json.ts";
import { withoutPart, withPart } from "../text/json-edit.ts";
import { type ConfigFile, changeConfigFile, openConfigFile, parseConfig } from "../tree/config-file.ts";
import { configOf, configPath } from "./config.ts";
import type { WeightSettings } from "./weights-config.ts";

/** Changes to the section `weights` of the workspace's config file. Everything else in it stays as its user wrote it. */

/** Puts these weights in place of those that are there; the file is made where there is none. */
export function writeWeights(root: string, weights: WeightSettings): void {
  const path = configPath(root);
  changeConfigFile(path, (file) => {
    if (!file) return checkedText(path, `${JSON.stringify({ weights }, null, 2)}\n`);
    const text = without(file);
    const rest = parseConfig(path, text);
    return checkedText(path, withPart(text, rest.root, weights, "weights"));
  });
}

/** Takes them out, and says what they were; nothing where there are none. */
export function removeWeights(root: string): WeightSettings | undefined {
  const path = configPath(root);
  const file = openConfigFile(path);
  const removed = file && configOf(file).weights;
  if (!removed) return undefined;
  changeConfigFile(path, (now) => (now ? checkedText(path, without(now)) : "{}\n"));
  return removed;
}

function without(file: ConfigFile): string {
  const position = file.root.parts?.findIndex(({ key }) => key === "weights") ?? -1;
  return position < 0 ? file.text : withoutPart(file.text, nodeAt(file.root, []), position);
}

/** A text that the next question can read. */
function checkedText(path: string, text: string): string {
  configOf(parseConfig(path, text));
  return text;
}
