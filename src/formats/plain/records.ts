import { headingText, shortName } from "../characters.ts";
import {
  commitFacts,
  commitFiles,
  documentFacts,
  experienceFacts,
  isShort,
  kindName,
  memoryFacts,
  messageFacts,
  type RecordEntry,
  type RecordSource,
  shortSha,
  valueFacts,
} from "../records.ts";
import { hasBody } from "../words.ts";

/** The head of a record: its marked line, its other facts, and the notes. */
export function recordHead(entry: RecordEntry, mark: string): string {
  const { title, facts = "" } = isShort(entry) ? {} : heads[entry.source](entry);
  const lines = [
    `${mark} ${kindName(entry)}${title ? `: ${title}` : ""} ${entry.citation} ${mark}`,
    ...(facts ? [facts] : []),
    ...entry.notes.map((note) => `Note: ${headingText(note)}`),
  ];
  return `${lines.join("\n")}\n${hasBody(entry) ? "" : "\n"}`;
}

export function recordPointer(entry: RecordEntry, mark: string): string {
  const notes = headingText(entry.notes.join(", "));
  return `${mark} ${kindName(entry)}: ${shortName(entry.name)} ${entry.citation} ${mark}${notes ? ` ${notes}` : ""}\n`;
}

const heads: Record<RecordSource, (entry: RecordEntry) => { title?: string; facts?: string }> = {
  memory: (entry) => ({ facts: memoryFacts(entry, headingText) }),
  experience: (entry) => ({ title: experienceFacts(entry, headingText) }),
  value: (entry) => ({ title: valueFacts(entry, headingText) }),
  document: (entry) => ({ title: documentFacts(entry, shortName) }),
  message: (entry) => ({ title: messageFacts(entry, shortName) }),
  commit: (entry) => {
    const files = commitFiles(entry, shortName);
    return {
      title: [headingText(shortSha(entry)), commitFacts(entry, headingText)].filter(Boolean).join(" "),
      facts: files && `Files: ${files}`,
    };
  },
};
