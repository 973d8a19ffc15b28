import { oneLine, shortName } from "../characters.ts";
import {
  commitFacts,
  commitFiles,
  documentFacts,
  experienceFacts,
  kindName,
  memoryFacts,
  messageFacts,
  type RecordEntry,
  type RecordSource,
  shortSha,
  valueFacts,
} from "../records.ts";
import { hasBody } from "../words.ts";

/** The head of a record: its marked line, what else is known of it, and the notes. */
export function recordHead(entry: RecordEntry, mark: string): string {
  const { title, facts = "" } = heads[entry.source](entry);
  const lines = [
    `${mark} ${kindName(entry)}${title ? `: ${title}` : ""} ${entry.citation} ${mark}`,
    ...(facts ? [facts] : []),
    ...entry.notes.map((note) => `Note: ${oneLine(note)}`),
  ];
  return `${lines.join("\n")}\n${hasBody(entry) ? "" : "\n"}`;
}

export function recordPointer(entry: RecordEntry, mark: string): string {
  const notes = oneLine(entry.notes.join(", "));
  return `${mark} ${kindName(entry)}: ${shortName(entry.name)} ${entry.citation} ${mark}${notes ? ` ${notes}` : ""}\n`;
}

const heads: Record<RecordSource, (entry: RecordEntry) => { title?: string; facts?: string }> = {
  memory: (entry) => ({ facts: memoryFacts(entry, oneLine) }),
  experience: (entry) => ({ title: experienceFacts(entry, oneLine) }),
  value: (entry) => ({ title: valueFacts(entry, oneLine) }),
  document: (entry) => ({ title: documentFacts(entry, shortName) }),
  message: (entry) => ({ title: messageFacts(entry, shortName) }),
  commit: (entry) => {
    const files = commitFiles(entry, shortName);
    return {
      title: [oneLine(shortSha(entry)), commitFacts(entry, oneLine)].filter(Boolean).join(" "),
      facts: files && `Files: ${files}`,
    };
  },
};
