import type { NoteFacts } from "../../stores/graph.ts";
import { fieldOf } from "./fields.ts";
import { folded } from "./values.ts";

/** Whether there is still something to do: what a checkbox says, and what a field called status says in words. */

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

/** `open` and `done` are asked of every task, whether it has a field that says so or a box. Undefined for another word. */
export function stateAsked(operand: string): "open" | "done" | undefined {
  if (openWords.has(operand)) return "open";
  return operand === "done" || operand === "closed" || operand === "completed" ? "done" : undefined;
}

/** Undefined of what is no task: it has neither a box nor a status. */
export function stateOf(note: NoteFacts): "open" | "done" | undefined {
  const status = fieldOf(note, statusNames)?.values ?? [];
  if (note.done === true || status.some(({ text }) => closedWords.has(folded(text)))) return "done";
  return note.done === false || status.length > 0 ? "open" : undefined;
}

/** Tags of things to do. */
const taskTags = new Set(["task", "todo", "to-do", "action", "action item"]);

export function isTaskTag(tag: string): boolean {
  return taskTags.has(folded(tag));
}
