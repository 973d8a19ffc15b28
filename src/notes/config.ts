import type { Lens } from "../recipes/lenses.ts";
import type { OriginKind } from "./readers/reader.ts";

/** A place that notes come from, as the workspace's config file names it. */
export type Origin = {
  /** What users call it; unique in the workspace. */
  name: string;
  /** File or folder, relative to the config file's folder or absolute. Absent for an origin that is only live. */
  from?: string;
  /** Found out by looking inside when absent. */
  kind?: OriginKind;
  /** The Local API of Tana Desktop. The token itself is never in the file: only the name of the variable that holds it. */
  live?: { url: string; tokenVariable: string; workspace?: string };
};

export type WorkspaceConfig = { notes: Origin[]; lenses: Lens[] };
