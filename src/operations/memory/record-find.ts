import { DossierError } from "../../errors.ts";
import type { KeptType, RecordStore, StoredRecord } from "../../stores/records.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { memoryTitle } from "./memory-shape.ts";

const most = 5;
const either = new Intl.ListFormat("en-GB", { type: "disjunction" });
const prefixes: Record<KeptType, string> = { memory: "mem", experience: "exp", value: "val", draft: "dra" };

export type Findable = {
  types: readonly KeptType[];
  /** Whether only kept records match, only forgotten ones, or both. */
  state: "kept" | "forgotten" | "either";
};

/** The record that a typed id means: a whole one, the beginning of one, or a citation in brackets. */
export async function findRecord(workspace: Workspace, typed: string, findable: Findable): Promise<StoredRecord> {
  const quoted = JSON.stringify(typed);
  const id = idOf(typed);
  const idPattern = new RegExp(`^(?:${findable.types.map((type) => prefixes[type]).join("|")})-[0-9a-z]+$`);
  const names = either.format(findable.types.map((type) => (type === "experience" ? `an ${type}` : `a ${type}`)));
  if (!idPattern.test(id)) {
    if (/^dra-[0-9a-z]+$/.test(id)) {
      const next = "dossier memory accept makes a memory of it, which can be changed; dossier memory drop lets it go";
      throw new DossierError("not-found", `${quoted} is a draft, not ${names}: ${next}.`);
    }
    const like = either.format(findable.types.map((type) => `${prefixes[type]}-1k3f…`));
    throw new DossierError("not-found", `${quoted} is no id of ${names}; they look like ${like}.`);
  }
  const records = workspace.hasRecords() ? await workspace.records() : undefined;
  const matches = records ? await withPrefix(records, workspace.owner, id) : [];
  const fitting = matches.filter(
    ({ deleted }) => findable.state === "either" || (deleted === undefined) === (findable.state === "kept"),
  );
  const exact = fitting.find((record) => record.id === id);
  if (exact) return exact;
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1) {
    const choices = fitting.slice(0, most).map((record) => `${record.id} (${memoryTitle(record)})`);
    const more = fitting.length > most ? ", and others" : "";
    throw new DossierError("bad-input", `${quoted} could be any of ${choices.join(", ")}${more}. Give more of the id.`);
  }
  if (matches.length > 0) {
    throw new DossierError(
      "not-found",
      matches[0]!.deleted === undefined
        ? `${matches[0]!.id} was not forgotten.`
        : `${matches[0]!.id} was forgotten; dossier memory restore takes that back.`,
    );
  }
  throw new DossierError("not-found", `There is no ${either.format(findable.types)} ${quoted}.`);
}

/** `[mem-1k3f]`, `MEM-1k3f` and, for the root cause of an experience, `exp-1k3f-root_cause` all mean a record. */
function idOf(typed: string): string {
  const bare = typed
    .trim()
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  return bare.replace(/^(exp-[0-9a-z]+)-[a-z_]+$/, "$1");
}

/** A few are enough to tell one match from several; ids are sorted, so an exact match comes first. */
function withPrefix(records: RecordStore, owner: string, prefix: string): Promise<StoredRecord[]> {
  return records.byPrefix(owner, prefix, 50, { deleted: true });
}
