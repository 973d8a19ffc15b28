import { DossierError } from "../../../errors.ts";
import type { Choose } from "../json-stream.ts";
import { type Batch, inBatches, type NoteReader, type Reading } from "../reader.ts";
import { addDoc, type Docs, emptyDocs } from "./docs.ts";
import { type ExpectedFile, glance, likelyFormat, readJson, remember, sheetOf } from "./file.ts";
import { notesOf } from "./notes.ts";

/**
 * The export of a whole Tana workspace. Its docs are held in compact form while it is read: owners, tags, fields and
 * names within names are known only after all of them.
 */
export const tanaExport: NoteReader = {
  kind: "tana-export",
  recognises,
  list: async (place) => [await sheetOf(place, expected)],
  read,
};

const expected: ExpectedFile = {
  what: "a Tana workspace export",
  fix: "Export the workspace from Tana again, as JSON.",
};

/** The API wraps the export in an object of its own. */
const opened = ["", "docs", "storeData", "storeData.docs"];
const docPaths = ["docs[]", "storeData.docs[]"];

/** Keys at the top of every export, before or after its docs. */
const signs = ["editors", "lastTxid", "lastFbKey", "currentWorkspaceId", "optimisticTransIds", "workspaces"];

async function recognises(place: string): Promise<boolean> {
  const keys = new Set<string>();
  const choose: Choose = (path, begins) => {
    const key = path.replace(/^storeData\./, "");
    if (key === "formatVersion" || signs.includes(key)) keys.add(key);
    if (opened.includes(path)) return "open";
    return docPaths.includes(path) || (begins !== "{" && begins !== "[") ? "take" : "skip";
  };
  return await glance(place, choose, (path, text) => {
    if (docPaths.includes(path)) return isDoc(JSON.parse(text));
    return keys.has("formatVersion") && signs.some((sign) => keys.has(sign)) ? true : undefined;
  });
}

async function* read(place: string, sheets: string[], reading: Reading): AsyncIterable<Batch> {
  const { name: sheet } = await sheetOf(place, expected);
  if (!sheets.includes(sheet)) return;
  const { notes, warnings } = notesOf(await docsOf(place, reading), true);
  yield* inBatches(sheet, notes, reading.signal);
  for (const warning of warnings()) reading.warn(warning);
}

async function docsOf(place: string, reading: Reading): Promise<Docs> {
  const docs = emptyDocs();
  const seen = new Map<string, string>();
  let hasList = false;
  const choose: Choose = (path, begins) => {
    if (docPaths.includes(path)) return "take";
    remember(seen, path, begins);
    hasList ||= begins === "[" && docPaths.includes(`${path}[]`);
    return opened.includes(path) ? "open" : path === "version" && begins === '"' ? "take" : "skip";
  };
  const take = (path: string, text: string) => {
    if (docPaths.includes(path)) addDoc(docs, JSON.parse(text));
    else remember(seen, path, text);
  };
  await readJson(place, expected, choose, take, reading);
  if (!hasList || (docs.added === 0 && docs.unusable > 0)) {
    const seems = hasList ? "JSON whose docs are no Tana nodes" : likelyFormat(seen);
    throw new DossierError("bad-input", `${place} is ${seems}, not ${expected.what}. ${expected.fix}`);
  }
  return docs;
}

function isDoc(value: unknown): boolean {
  const doc = value as { id?: unknown; props?: unknown } | null;
  return typeof doc?.id === "string" && typeof doc.props === "object" && doc.props !== null;
}
