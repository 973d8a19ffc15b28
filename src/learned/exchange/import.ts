import { type RecordStore, type RecordType, type RecordWrite, recordTypes } from "../../stores/records.ts";
import { hashText } from "../../text/hash.ts";
import { activeSlot, type Experience, isActive } from "../experience.ts";
import { ordered, readLine } from "./exchange.ts";

export const conflictRules = ["newer", "keep", "replace"] as const;

export type RecordImportOptions = {
  /** What happens to a record that exists here and says something else. */
  onConflict: (typeof conflictRules)[number];
  dryRun: boolean;
  /** Milliseconds since 1970. */
  now: number;
  signal?: AbortSignal;
  progress?: (done: number, total: number) => void;
};

export type ImportReport = {
  lines: number;
  added: Record<RecordType, number>;
  updated: number;
  unchanged: number;
  /** Ids of records that stayed as they are here. */
  kept: string[];
  bad: { line: number; reason: string }[];
  warnings: string[];
};

/** Records of one transaction: enough that waiting for the disk does not count. */
const batchSize = 500;

/** Reads every good line into the store. What is read twice changes nothing the second time. */
export async function importLines(
  text: string,
  records: RecordStore | undefined,
  owner: string,
  options: RecordImportOptions,
): Promise<ImportReport> {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  const report: ImportReport = {
    lines: 0,
    added: Object.fromEntries(recordTypes.map((type) => [type, 0])) as Record<RecordType, number>,
    updated: 0,
    unchanged: 0,
    kept: [],
    bad: [],
    warnings: [],
  };
  const ignored = new Set<string>();
  const importing = importer(records, owner, options, report);
  for (let from = 0; from < lines.length; from += batchSize) {
    options.signal?.throwIfAborted();
    const batch: RecordWrite[] = [];
    for (let i = from; i < Math.min(from + batchSize, lines.length); i++) {
      if (lines[i]!.trim() === "") continue;
      const read = readLine(lines[i]!, options.now);
      if ("header" in read) continue;
      report.lines++;
      if ("bad" in read) report.bad.push({ line: i + 1, reason: read.bad });
      if (!("record" in read)) continue;
      batch.push(read.record);
      for (const key of read.ignored) ignored.add(key);
    }
    await importing(batch);
    options.progress?.(Math.min(from + batchSize, lines.length), lines.length);
  }
  if (ignored.size > 0) {
    const names = [...ignored].slice(0, 10).map((key) => JSON.stringify(key));
    report.warnings.push(`Fields that memories do not have were left out: ${names.join(", ")}.`);
  }
  return report;
}

type Known = { hash: string; changed: number; deleted?: number };

function importer(
  records: RecordStore | undefined,
  owner: string,
  options: RecordImportOptions,
  report: ImportReport,
): (batch: RecordWrite[]) => Promise<void> {
  // What this run has written, as a trial run would not find it in the store.
  const seen = new Map<string, Known>();
  const taken = new Map<string, string>();

  return async (batch) => {
    const existing = new Map<string, Known>();
    for (const record of (await records?.get(
      owner,
      batch.map(({ id }) => id),
      { deleted: true },
    )) ?? []) {
      existing.set(record.id, { hash: hashOf(record), changed: record.changed, deleted: record.deleted });
    }
    const writes = new Map<string, RecordWrite>();
    for (const record of batch) {
      const known = seen.get(record.id) ?? existing.get(record.id);
      const hash = hashOf(record);
      if (known && known.deleted === undefined && known.hash === hash) report.unchanged++;
      else if (known && !wins(record, known)) report.kept.push(record.id);
      else {
        if (known) report.updated++;
        else report.added[record.type as RecordType]++;
        seen.set(record.id, { hash, changed: record.changed });
        writes.set(record.id, await withSlot(record));
      }
    }
    if (!options.dryRun) await records?.write(owner, [...writes.values()]);
  };

  function wins(record: RecordWrite, known: Known): boolean {
    if (options.onConflict !== "newer") return options.onConflict === "replace";
    return record.changed > Math.max(known.changed, known.deleted ?? 0);
  }

  /** An experience that is still under way is its session's active one again, unless the session has another by now. */
  async function withSlot(record: RecordWrite): Promise<RecordWrite> {
    if (record.type !== "experience" || !isActive(record.body as Experience)) return record;
    const { session } = record.body as Experience;
    const slot = activeSlot(session);
    const holder = taken.get(slot) ?? (await records?.inSlot(owner, slot))?.id;
    if (holder !== undefined && holder !== record.id) {
      report.warnings.push(
        `${record.id} is not resolved, but ${holder} is the active one of session ${JSON.stringify(session)}.`,
      );
      return record;
    }
    taken.set(slot, record.id);
    return { ...record, slot };
  }
}

function hashOf({ type, body }: RecordWrite): string {
  return hashText(JSON.stringify(ordered(type, body)));
}
