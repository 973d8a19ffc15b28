import { codeKinds, documentKinds, type Item } from "../item.ts";

/** The groups of a document, in the order they are printed. */
export const groupTitles = {
  code: "Relevant Code",
  documentation: "Related Documentation",
  conversation: "Previous Conversations",
  other: "Other Context",
} as const;
export type Group = keyof typeof groupTitles;
export const groupOrder = Object.keys(groupTitles) as Group[];

export function groupOf({ source, kind }: Item): Group {
  if (source === "message") return "conversation";
  if (source !== "code" && source !== "file" && source !== "reference") return "other";
  if ((codeKinds as readonly string[]).includes(kind)) return "code";
  return kind !== "config" && (documentKinds as readonly string[]).includes(kind) ? "documentation" : "other";
}
