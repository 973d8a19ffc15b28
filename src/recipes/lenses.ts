import type { Relation } from "../note.ts";

/** A view of a notes graph: which relations are followed, which tags are boosted, which fields are always shown. */
export type Lens = {
  name: string;
  /** Relations that are followed. */
  priorityTypes: Relation[];
  /** Notes with one of these tags, or with a tag that inherits from one, rank higher. Compared without case. */
  boostTags: string[];
  /** Fields that are shown even if fields are not requested. Compared without case. */
  includeFields: string[];
  /** The most steps of links to follow. */
  maxDepth: number;
};

export const builtInLenses: readonly Lens[] = [
  {
    name: "general",
    priorityTypes: ["child", "parent", "reference", "field"],
    boostTags: [],
    includeFields: [],
    maxDepth: 3,
  },
  {
    name: "writing",
    priorityTypes: ["child", "reference"],
    boostTags: ["note", "draft", "writing", "article"],
    includeFields: [],
    maxDepth: 2,
  },
  {
    name: "coding",
    priorityTypes: ["reference", "field"],
    boostTags: ["spec", "architecture", "code", "decision"],
    includeFields: ["status", "priority", "assignee"],
    maxDepth: 3,
  },
  {
    name: "planning",
    priorityTypes: ["child", "field"],
    boostTags: ["goal", "milestone", "task", "project"],
    includeFields: ["due", "status", "blocked-by"],
    maxDepth: 4,
  },
  {
    name: "meeting-prep",
    priorityTypes: ["reference", "child"],
    boostTags: ["person", "meeting", "action", "agenda"],
    includeFields: ["attendees", "date", "status"],
    maxDepth: 2,
  },
];
