import type { SourceName } from "../item.ts";
import { commit } from "./commit.ts";
import { document } from "./document.ts";
import { experience } from "./experience.ts";
import { files } from "./files.ts";
import { memory } from "./memory.ts";
import { message } from "./message.ts";
import { note } from "./note.ts";
import type { Source } from "./source.ts";
import { value } from "./value.ts";

export const sources: readonly Source[] = [files, memory, experience, value, commit, note, document, message];

/** The source that brings items of this name. */
export function sourceOf(name: SourceName): Source | undefined {
  return sources.find(({ brings }) => brings.includes(name));
}
