import type { Item, Kind } from "../../item.ts";
import { axisTexts, linesOf } from "../../learned/axis-texts.ts";
import type { Axis, Experience } from "../../learned/experience.ts";
import type { Memory } from "../../learned/memory.ts";
import type { Value } from "../../learned/value.ts";
import type { RecordType, StoredRecord } from "../../stores/records.ts";
import type { IndexedFile, IndexedItem } from "../../stores/store.ts";
import { hashText } from "../../text/hash.ts";
import { termsOf } from "../terms.ts";

/** The path of a record's items on its shelf. Each record has its own path, so that changing one touches no other. */
export function placeOf({ type, id }: Pick<StoredRecord, "type" | "id">): string {
  return `${type}/${id}`;
}

export function recordIdOf({ path }: Item): string {
  return path.slice(path.indexOf("/") + 1);
}

/** A record as the index takes it. The text itself stays in the record store. */
export function describeRecord(record: StoredRecord): IndexedFile {
  const items = describers[record.type as RecordType](record);
  return {
    path: placeOf(record),
    hash: hashText(JSON.stringify(record.body)),
    size: 0,
    modified: record.changed,
    text: "",
    imports: [],
    items,
    links: [],
  };
}

const describers: Record<RecordType, (record: StoredRecord) => IndexedItem[]> = {
  memory(record) {
    const { content, category, tags } = record.body as Memory;
    return [
      {
        item: itemOf(record, record.id, "memory", content),
        unit: termsOf({ doc: content, name: tags.join(" "), path: category }),
      },
    ];
  },
  value(record) {
    const { text, axis } = record.body as Value;
    return [{ item: itemOf(record, record.id, "value", text), unit: termsOf({ doc: text, path: axis }) }];
  },
  experience(record) {
    const experience = record.body as Experience;
    return Object.entries(axisTexts(experience)).map(([axis, text]) => ({
      item: itemOf(record, axisItemId(record.id, axis as Axis), axisKinds[axis as Axis], experience.goal),
      unit: termsOf({
        doc: searched(experience, axis as Axis, linesOf(text)),
        path: `${experience.domain} ${experience.strategy}`,
      }),
    }));
  },
};

/**
 * The searched text of an axis. The full axis does not print why an experience failed, but its root cause is searched
 * too.
 */
function searched({ rootCause }: Experience, axis: Axis, lines: string[]): string {
  return [...lines, ...(axis === "full" && rootCause ? [rootCause.description] : [])].join("\n");
}

/** The full axis is the experience itself. */
export const axisKinds: Record<Axis, Kind> = {
  full: "experience",
  strategy: "strategy",
  surprise: "surprise",
  root_cause: "root_cause",
};

export function axisOf(kind: Kind): Axis {
  return kind === "experience" ? "full" : (kind as Axis);
}

export function axisItemId(id: string, axis: Axis): string {
  return axis === "full" ? id : `${id}-${axis}`;
}

const longestName = 80;

function itemOf(record: StoredRecord, id: string, kind: Kind, text: string): Item {
  const line = text.replace(/\s+/g, " ").trim();
  const name =
    line.length > longestName
      ? `${line
          .slice(0, longestName - 1)
          .replace(/[\ud800-\udbff]$/, "")
          .trimEnd()}…`
      : line;
  return {
    id,
    source: record.type as RecordType,
    kind,
    name,
    qualifiedName: `${record.type}::${id}`,
    path: placeOf(record),
    startLine: 1,
    endLine: 1,
    hash: hashText(text),
    changed: record.changed,
  };
}
