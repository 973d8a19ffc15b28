import type { Facts, Item } from "../../item.ts";
import type { DocumentInfo, StoredDocument } from "../../stores/library.ts";
import { splitLines } from "../../text/lines.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { RecordText } from "../source.ts";
import { chunkPlace, chunksOf, documentIdOf, stampOf } from "./document-items.ts";

/** A chunk as its document has it now. */
export type ChunkText = {
  info: DocumentInfo;
  text: string;
  /** Position and total, from 1. */
  number: number;
  count: number;
  heading: string;
  startLine: number;
  endLine: number;
};

/** The current texts of chunks by item id; removed ones are absent. */
export async function readChunks(items: readonly Item[], workspace: Workspace): Promise<Map<string, ChunkText>> {
  const texts = new Map<string, ChunkText>();
  if (items.length === 0 || !workspace.hasRecords()) return texts;
  const byDocument = new Map<string, Item[]>();
  for (const item of items) {
    const id = documentIdOf(item);
    byDocument.set(id, [...(byDocument.get(id) ?? []), item]);
  }
  const library = await workspace.library();
  const ids = [...byDocument.keys()];
  const [infos, contents] = await Promise.all([
    library.documentInfos(workspace.owner, ids),
    library.contents(workspace.owner, ids),
  ]);
  for (const info of infos) {
    const content = contents.get(info.id);
    if (content === undefined) continue;
    const document = { ...info, content };
    const chunkItems = byDocument.get(info.id)!;
    const stamp = stampOf(info);
    const isCurrent = chunkItems.every((item) => chunkPlace(item).stamp === stamp);
    const chunkTexts = isCurrent
      ? chunkItems.map((item) => cutAsIndexed(document, item))
      : cutAnew(document, chunkItems);
    for (const [item, text] of chunkTexts) texts.set(item, text);
  }
  return texts;
}

function cutAsIndexed({ content, ...info }: StoredDocument, item: Item): [string, ChunkText] {
  const { id, startLine, endLine, qualifiedName } = item;
  const { start, end, number, count } = chunkPlace(item);
  const heading = qualifiedName.slice(info.path.length + "::".length);
  return [id, { info, text: content.slice(start, end), number, count, heading, startLine, endLine }];
}

/** The document changed since it was indexed: it is cut again, and unchanged chunks keep their ids. */
function cutAnew({ content, ...info }: StoredDocument, items: Item[]): [string, ChunkText][] {
  const chunks = chunksOf(info, content);
  const ids = new Set(items.map(({ id }) => id));
  return chunks.flatMap(({ id, passage }, i): [string, ChunkText][] => {
    if (!ids.has(id)) return [];
    const { text, startLine, endLine, path } = passage;
    return [[id, { info, text, number: i + 1, count: chunks.length, heading: path.join(" > "), startLine, endLine }]];
  });
}

export function recordOf({ info, text, number, count, heading, startLine, endLine }: ChunkText): RecordText {
  const { id, path, version, type, created, changed } = info;
  const facts: Facts = {
    id,
    path,
    ...(heading === "" ? {} : { heading }),
    version,
    ...(type === undefined ? {} : { type }),
    chunk: `${number}/${count}`,
    lines: `${startLine}-${endLine}`,
    created_at: new Date(created).toISOString(),
    changed_at: new Date(changed).toISOString(),
  };
  return { lines: splitLines(text.trimEnd()), facts };
}
