import { DossierError } from "../../../errors.ts";
import { type FieldType, fieldTypes } from "../../../note.ts";
import { isObject } from "../../../text/json/is-object.ts";
import type { Choose } from "../json-stream.ts";
import { type Batch, inBatches, type NoteReader, type Reading } from "../reader.ts";
import { type ExpectedFile, glance, likelyFormat, readJson, remember, sheetOf } from "../tana/file.ts";
import { addNode, emptyTif, type Tif, textOf } from "./nodes.ts";
import { emptySchema, type TifSchema, tifNotes } from "./notes.ts";
import { containers, readVersionTwo } from "./version-two.ts";

/** Tana Intermediate Format: nested nodes, written by converters for import into Tana. */
export const tanaIntermediate: NoteReader = {
  kind: "tana-intermediate",
  recognises,
  list: async (place) => [await sheetOf(place, expected)],
  read,
};

const expected: ExpectedFile = {
  what: "a file in Tana Intermediate Format",
  fix: "Write it again with the converter it came from.",
};

const versionWord = "TanaIntermediateFile";
const readable = [`${versionWord} V0`, `${versionWord} V2`];
/** Version 2: parts of the file, which are nodes whose children count, or lists of nodes. */
const parts = containers.flatMap((name) => [`contents.${name}`, `contents.${name}.children`]);
const opened = ["", "nodes", "supertags", "attributes", "contents", ...parts];
const ofTwo = parts.map((path) => `${path}[]`);
const takenPaths = ["version", "nodes[]", "supertags[]", "attributes[]", ...ofTwo];

async function recognises(place: string): Promise<boolean> {
  const choose: Choose = (path) => (opened.includes(path) ? "open" : takenPaths.includes(path) ? "take" : "skip");
  return await glance(place, choose, (path, text) => {
    const value: unknown = JSON.parse(text);
    if (path === "version") return textOf(value).startsWith(versionWord);
    // The version may come last; nodes of this format differ from those of others.
    const isNode = path === "nodes[]" && isObject(value) && "name" in value && "type" in value && "createdAt" in value;
    return isNode || undefined;
  });
}

async function* read(place: string, sheets: string[], reading: Reading): AsyncIterable<Batch> {
  const { name: sheet } = await sheetOf(place, expected);
  if (!sheets.includes(sheet)) return;
  const { tif, schema } = await nodesOf(place, reading);
  yield* inBatches(sheet, tifNotes(tif, schema), reading.signal);
  if (tif.unusable > 0) {
    const skipped =
      tif.unusable === 1 ? "1 entry is no node, and was" : `${tif.unusable} entries are no nodes, and were`;
    reading.warn(`${skipped} passed over.`);
  }
}

async function nodesOf(place: string, reading: Reading): Promise<{ tif: Tif; schema: TifSchema }> {
  const tif = emptyTif();
  const schema = emptySchema();
  const seen = new Map<string, string>();
  let version = "";
  let hasNodes = false;
  let count = 0;
  const choose: Choose = (path, begins) => {
    remember(seen, path, begins);
    hasNodes ||= (path === "nodes" && begins === "[") || (path === "contents" && begins === "{");
    return opened.includes(path) ? "open" : takenPaths.includes(path) ? "take" : "skip";
  };
  const take = (path: string, text: string) => {
    const value: unknown = JSON.parse(text);
    if (path === "nodes[]") addNode(tif, value, count++);
    else if (ofTwo.includes(path)) addNode(tif, value, count++, (node) => readVersionTwo(node, schema));
    else if (path === "version") version = textOf(value);
    else if (path === "supertags[]" && isObject(value)) schema.supertags.set(textOf(value.uid), textOf(value.name));
    else if (path === "attributes[]" && isObject(value) && isFieldType(value.dataType)) {
      schema.types.set(textOf(value.name), value.dataType);
    }
  };
  await readJson(place, expected, choose, take, reading);
  if (version.startsWith(versionWord) && !readable.some((prefix) => version.startsWith(prefix))) {
    throw new DossierError("bad-input", `${place} is ${version}; only ${readable.join(".1 and ")} can be read.`);
  }
  if (!hasNodes) {
    throw new DossierError("bad-input", `${place} is ${likelyFormat(seen)}, not ${expected.what}. ${expected.fix}`);
  }
  return { tif, schema };
}

function isFieldType(value: unknown): value is FieldType {
  return fieldTypes.includes(value as FieldType);
}
