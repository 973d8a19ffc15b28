import type { SourceName } from "../item.ts";
import { commit } from "./commits/commit.ts";
import { document } from "./documents/document.ts";
import { files } from "./files.ts";
import { message } from "./messages/message.ts";
import { note } from "./notes/note.ts";
import { experience } from "./records/experience.ts";
import { memory } from "./records/memory.ts";
import { value } from "./records/value.ts";
import type { Source } from "./source.ts";

export const sources: readonly Source[] = [files, memory, experience, value, commit, note, document, message];

/** The source with this name. */
export function sourceOf(name: SourceName): Source | undefined {
  return sources.find(({ brings }) => brings.includes(name));
}
