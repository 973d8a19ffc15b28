import { files } from "./files.ts";
import type { Source } from "./source.ts";

export const sources: readonly Source[] = [files];
