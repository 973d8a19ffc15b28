import { type RecordStore, type RecordType, type RecordWrite, recordTypes } from "../../stores/records.ts";
import { hashText } from "../../text/hash.ts";
import { activeSlot, type Experience, isActive } from "../experience.ts";
import { ordered, readLine } from "./exchange.ts";

export const conflictRules = ["newer", "keep", "replace"] as const;

export type RecordImportOptions = {
  /** What to do with a record that exists with other content. */
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
  /** Ids of records that were not overwritten. */
  kept: string[];
  bad: { line: number; reason: string }[];
  warnings: string[];
};

/** Records per transaction: enough that disk latency does not matter. */
const batchSize = 500;

/** Imports every valid line. Importing the same file twice changes nothing the second time. */
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
      const parsed = readLine(lines[i]!, options.now);
      if ("header" in parsed) continue;
      report.lines++;
      if ("bad" in parsed) report.bad.push({ line: i + 1, reason: parsed.bad });
      if (!("record" in parsed)) continue;
      batch.push(parsed.record);
      for (const key of parsed.ignored) ignored.add(key);
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

type Existing = { hash: string; changed: number; deleted?: number };

function importer(
  records: RecordStore | undefined,
  owner: string,
  options: RecordImportOptions,
  report: ImportReport,
): (batch: RecordWrite[]) => Promise<void> {
  // Records written in this run, which a dry run would not find in the store.
  const writtenHere = new Map<string, Existing>();
  const slots = new Map<string, string>();

  return async (batch) => {
    const existing = new Map<string, Existing>();
    for (const record of (await records?.get(
      owner,
      batch.map(({ id }) => id),
      { deleted: true },
    )) ?? []) {
      existing.set(record.id, { hash: hashOf(record), changed: record.changed, deleted: record.deleted });
    }
    const writes = new Map<string, RecordWrite>();
    for (const record of batch) {
      const current = writtenHere.get(record.id) ?? existing.get(record.id);
      const hash = hashOf(record);
      if (current && current.deleted === undefined && current.hash === hash) report.unchanged++;
      else if (current && !replacesExisting(record, current)) report.kept.push(record.id);
      else {
        if (current) report.updated++;
        else report.added[record.type as RecordType]++;
        writtenHere.set(record.id, { hash, changed: record.changed });
        writes.set(record.id, await withSlot(record));
      }
    }
    if (!options.dryRun) await records?.write(owner, [...writes.values()]);
  };

  function replacesExisting(record: RecordWrite, current: Existing): boolean {
    if (options.onConflict !== "newer") return options.onConflict === "replace";
    return record.changed > Math.max(current.changed, current.deleted ?? 0);
  }

  /** An active experience takes its session's slot again, unless the session has another one by now. */
  async function withSlot(record: RecordWrite): Promise<RecordWrite> {
    if (record.type !== "experience" || !isActive(record.body as Experience)) return record;
    const { session } = record.body as Experience;
    const slot = activeSlot(session);
    const holder = slots.get(slot) ?? (await records?.inSlot(owner, slot))?.id;
    if (holder !== undefined && holder !== record.id) {
      report.warnings.push(
        `${record.id} is not resolved, but ${holder} is the active one of session ${JSON.stringify(session)}.`,
      );
      return record;
    }
    slots.set(slot, record.id);
    return { ...record, slot };
  }
}

function hashOf({ type, body }: RecordWrite): string {
  return hashText(JSON.stringify(ordered(type, body)));
}
