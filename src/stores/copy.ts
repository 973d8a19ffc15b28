import { createHash } from "node:crypto";
import { DossierError } from "../errors.ts";
import {
  type Transfer,
  type TransferPart,
  type TransferRevisions,
  type TransferRows,
  transferParts,
} from "./transfer.ts";

/** Rows of each page. */
const pageRows = 500;

/** Fields by which rows are compared, in a fixed order. */
const fields: { [Part in TransferPart]: readonly (keyof TransferRows[Part])[] } = {
  records: ["id", "type", "created", "changed", "revision", "deleted", "slot", "body"],
  documents: [
    ...(["id", "path", "type", "size", "hash", "version", "created", "changed"] as const),
    ...(["accessed", "deleted", "revision", "content"] as const),
  ],
  threads: ["id", "title", "parent", "branched", "first", "count", "created", "changed", "deleted"],
  messages: ["id", "thread", "place", "given", "role", "speaker", "session", "at", "blocks", "revision"],
  references: ["id", "thread", "kind", "target", "source", "priority", "added", "place"],
  usage: ["id", "item", "kind", "context", "at", "number"],
};

function asText<Part extends TransferPart>(part: Part, row: TransferRows[Part]): string {
  return JSON.stringify(fields[part].map((field) => row[field]));
}

/** The rows of an owner by part: their number and a checksum. */
export type OwnerSum = { revisions: TransferRevisions; parts: Record<TransferPart, PartSum> };
type PartSum = { rows: number; checksum: string };

export async function sumOf(store: Transfer, owner: string, onRows: (rows: number) => void): Promise<OwnerSum> {
  const parts = {} as Record<TransferPart, PartSum>;
  for (const part of transferParts) {
    const hash = createHash("sha256");
    let rows = 0;
    for await (const page of pagesOf(store, owner, part)) {
      for (const row of page) hash.update(asText(part, row)).update("\n");
      rows += page.length;
      onRows(page.length);
    }
    parts[part] = { rows, checksum: hash.digest("hex").slice(0, 16) };
  }
  return { revisions: await store.revisions(owner), parts };
}

/** The parts that differ; none when they are equal. */
export function differences(a: OwnerSum, b: OwnerSum): string[] {
  const parts: string[] = transferParts.filter(
    (part) => a.parts[part].rows !== b.parts[part].rows || a.parts[part].checksum !== b.parts[part].checksum,
  );
  return JSON.stringify(a.revisions) === JSON.stringify(b.revisions) ? parts : [...parts, "revisions"];
}

async function* pagesOf<Part extends TransferPart>(
  store: Transfer,
  owner: string,
  part: Part,
): AsyncGenerator<TransferRows[Part][]> {
  for (let after: TransferRows[Part] | undefined; ; ) {
    const page = await store.page(owner, part, after, pageRows);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!;
  }
}

/**
 * Makes an owner's rows in one store equal to those in another, and returns how many were written. Only differences are
 * written, so an interrupted copy continues, and a repeated one brings later changes. Refuses a target with rows of its
 * own.
 */
export async function copyOwner(
  from: Transfer,
  to: Transfer,
  owner: string,
  onRows: (rows: number) => void,
): Promise<number> {
  const [sourceRevisions, targetRevisions] = await Promise.all([from.revisions(owner), to.revisions(owner)]);
  const isAhead = (["records", "library", "usage"] as const).some(
    (counter) => targetRevisions[counter] > sourceRevisions[counter],
  );
  if (isAhead) throw ownOf(to, owner);
  for (const part of ["records", "documents", "threads", "messages"] as const)
    await refuseOthers(from, to, owner, part);
  let writtenRows = 0;
  for (const part of transferParts) {
    if (part === "references") await removeOthers(from, to, owner, "references");
    // Usage rows are numbered by position: where one differs, all are written again in order.
    if (part === "usage" && (await isSame(from, to, owner, "usage"))) continue;
    if (part === "usage") await removeAll(to, owner, "usage");
    for await (const page of pagesOf(from, owner, part)) {
      writtenRows += await writeChanged(to, owner, part, page);
      onRows(page.length);
    }
  }
  await to.saveRevisions(owner, sourceRevisions);
  return writtenRows;
}

async function writeChanged<Part extends TransferPart>(
  to: Transfer,
  owner: string,
  part: Part,
  page: TransferRows[Part][],
): Promise<number> {
  const existing = await to.byId(
    owner,
    part,
    page.map(({ id }) => id),
  );
  const texts = new Map(existing.map((row) => [row.id, asText(part, row)]));
  const changed = page.filter((row) => texts.get(row.id) !== asText(part, row));
  if (changed.length > 0) await to.write(owner, part, changed);
  return changed.length;
}

/** Deleted rows of these parts leave a tombstone, so the source knows every id that it ever gave. */
async function refuseOthers(from: Transfer, to: Transfer, owner: string, part: TransferPart): Promise<void> {
  for await (const page of pagesOf(to, owner, part)) {
    if ((await missingFrom(from, owner, part, page)).length > 0) throw ownOf(to, owner);
  }
}

async function removeOthers(from: Transfer, to: Transfer, owner: string, part: "references"): Promise<void> {
  for await (const page of pagesOf(to, owner, part)) {
    const removedIds = await missingFrom(from, owner, part, page);
    if (removedIds.length > 0) await to.remove(owner, part, removedIds);
  }
}

async function missingFrom(
  from: Transfer,
  owner: string,
  part: TransferPart,
  page: { id: string }[],
): Promise<string[]> {
  const ids = page.map(({ id }) => id);
  const existing = new Set((await from.byId(owner, part, ids)).map(({ id }) => id));
  return ids.filter((id) => !existing.has(id));
}

async function isSame(from: Transfer, to: Transfer, owner: string, part: "usage"): Promise<boolean> {
  const targetPages = pagesOf(to, owner, part);
  for await (const page of pagesOf(from, owner, part)) {
    const other = (await targetPages.next()).value as TransferRows["usage"][] | undefined;
    const text = (rows: TransferRows["usage"][]) => rows.map((row) => asText(part, row)).join("\n");
    if (!other || text(page) !== text(other)) return false;
  }
  return (await targetPages.next()).done === true;
}

async function removeAll(to: Transfer, owner: string, part: "usage"): Promise<void> {
  for (;;) {
    const page = await to.page(owner, part, undefined, pageRows);
    if (page.length === 0) return;
    await to.remove(
      owner,
      part,
      page.map(({ id }) => id),
    );
  }
}

function ownOf(to: Transfer, owner: string): DossierError {
  const reason = "has something that the source has not, or has changed since it was copied";
  return new DossierError(
    "conflict",
    `What ${JSON.stringify(owner)} has in ${to.shown} ${reason}; it is left as it is.`,
  );
}
