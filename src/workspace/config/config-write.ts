import { DossierError } from "../../errors.ts";
import { withoutPart, withPart } from "../../text/json/json-edit.ts";
import { nodeAt } from "../../text/json/parse-json.ts";
import { alternatives } from "../../text/similarity/closest.ts";
import { type ConfigFile, changeConfigFile, parseConfig } from "../config-file.ts";
import { configPath, type Origin } from "./config.ts";
import { configOf } from "./config-settings.ts";

/** Changes to the workspace's config file. Everything else in it stays as its user wrote it, comments included. */

/** Adds an origin; the file is made where there is none. */
export function addOrigin(root: string, origin: Origin): void {
  const path = configPath(root);
  changeConfigFile(path, (file) => {
    if (!file) return checkedText(path, `${JSON.stringify({ notes: [origin] }, null, 2)}\n`);
    const { notes } = configOf(file);
    const namesake = notes.find(({ name }) => name.toLowerCase() === origin.name.toLowerCase());
    if (namesake) throw new DossierError("already-exists", `There is an origin called ${namesake.name} already.`);
    const list = nodeAt(file.root, ["notes"]);
    const hasList = list !== file.root;
    return checkedText(
      path,
      hasList ? withPart(file.text, list, origin) : withPart(file.text, list, [origin], "notes"),
    );
  });
}

/** Takes an origin out, and says what it was. */
export function removeOrigin(root: string, name: string): Origin {
  const path = configPath(root);
  let removed: Origin | undefined;
  changeConfigFile(path, (file) => {
    const notes = file ? configOf(file).notes : [];
    const position = notes.findIndex((origin) => origin.name.toLowerCase() === name.toLowerCase());
    removed = notes[position];
    if (!file || !removed) throw unknownOrigin(name, notes);
    return checkedText(path, withoutPart(file.text, nodeAt(file.root, ["notes"]), position));
  });
  return removed!;
}

function unknownOrigin(name: string, origins: readonly Origin[]): DossierError {
  const names = origins.map((origin) => origin.name);
  const hint = names.length === 0 ? "none are connected." : alternatives(name, names);
  return new DossierError("not-found", `No notes are connected as ${JSON.stringify(name)}; ${hint}`);
}

/** Checks that the next question can read the text: the requested change may itself be wrong. */
function checkedText(path: string, text: string): string {
  configOf(parseConfig(path, text) satisfies ConfigFile);
  return text;
}
