import type { NoteFacts } from "../../stores/graph.ts";
import { folded } from "./compare-values.ts";
import { fieldOf } from "./fields.ts";

/** Whether a task is open: by its checkbox, or by a field called status. */

const closedWords = new Set(
  "done closed complete completed finished cancelled canceled archived dropped abandoned resolved rejected shipped".split(
    " ",
  ),
);
const openWords = new Set(["open", "todo", "to do", "unfinished", "not done"]);

const statusNames = ["status", "state"];

export function isStatus(foldedName: string): boolean {
  return statusNames.includes(foldedName);
}

/** `open` and `done` apply to every task, with a status field or a checkbox. Undefined for another word. */
export function stateAsked(operand: string): "open" | "done" | undefined {
  if (openWords.has(operand)) return "open";
  return operand === "done" || operand === "closed" || operand === "completed" ? "done" : undefined;
}

/** Undefined for a note that is no task: it has neither a checkbox nor a status. */
export function stateOf(note: NoteFacts): "open" | "done" | undefined {
  const status = fieldOf(note, statusNames)?.values ?? [];
  if (note.done === true || status.some(({ text }) => closedWords.has(folded(text)))) return "done";
  return note.done === false || status.length > 0 ? "open" : undefined;
}

/** Tags that mark tasks. */
const taskTags = new Set(["task", "todo", "to-do", "action", "action item"]);

export function isTaskTag(tag: string): boolean {
  return taskTags.has(folded(tag));
}
