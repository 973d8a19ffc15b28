import type { NoteField } from "../../note.ts";
import type { NoteFacts } from "../../stores/graph.ts";
import { compares, equals, folded, type Operand, operandOf } from "./compare-values.ts";
import type { Condition } from "./condition.ts";
import { fieldOf, isOfEveryNote, namesOf } from "./fields.ts";
import { isStatus, isTaskTag, stateAsked, stateOf } from "./task-state.ts";

/** Conditions that must all hold, prepared for testing many notes. */
export type Test = {
  holds(note: NoteFacts): boolean;
  /** For each condition the names of which a note must have one; a note with none of them cannot match. */
  needed: string[][];
  /** By field name: values that could not be compared, with the first of them. */
  incomparable: Map<string, { count: number; example: string }>;
};

type PreparedCondition = { condition: Condition; names: string[]; operand: Operand };

export function testOf(conditions: readonly Condition[], now: number): Test {
  const prepared = conditions.map(
    (condition): PreparedCondition => ({
      condition,
      names: namesOf(condition.field),
      operand: operandOf(condition.operand, now),
    }),
  );
  const incomparable: Test["incomparable"] = new Map();
  const note = (field: string, example: string) => {
    const previous = incomparable.get(field);
    incomparable.set(field, { count: (previous?.count ?? 0) + 1, example: previous?.example ?? example });
  };
  return {
    holds: (facts) => prepared.every((each) => holds(facts, each, note)),
    needed: prepared.filter(needsField).map(({ names }) => names),
    incomparable,
  };
}

/** False for conditions that hold without the field, and for those on the checkbox or the note's own name and times. */
function needsField({ condition, names, operand }: PreparedCondition): boolean {
  if (condition.operator === "absent" || condition.operator === "!=") return false;
  return !isOfEveryNote(condition.field) && !(isStatus(names[0]!) && stateAsked(operand.text) !== undefined);
}

function holds(
  note: NoteFacts,
  { condition: { field: name, operator }, names, operand }: PreparedCondition,
  remark: (field: string, example: string) => void,
): boolean {
  const field = fieldOf(note, names);
  if (operator === "present") return field !== undefined;
  if (operator === "absent") return field === undefined;
  if (operator === "=" || operator === "!=") {
    const isSo = hasValue(field, operand) || isState(note, field, names[0]!, operand);
    return isSo === (operator === "=");
  }
  if (!field) return false;
  if (operator === "contains") return field.values.some(({ text }) => folded(text).includes(operand.text));
  return field.values.some((value) => {
    const result = compares(value, field.type, operator, operand);
    if (result === undefined) remark(name, value.text);
    return result === true;
  });
}

function hasValue(field: NoteField | undefined, operand: Operand): boolean {
  return field?.values.some((value) => equals(value, field.type, operand)) ?? false;
}

/** A checkbox also means open or done. A status in other words is not contradicted. */
function isState(note: NoteFacts, field: NoteField | undefined, name: string, { text }: Operand): boolean {
  const state = isStatus(name) ? stateAsked(text) : undefined;
  if (state === undefined || note.done === undefined) return false;
  return stateOf(note) === state && (field === undefined || state === "done" || note.done === false);
}

/** Whether a note has a tag, directly or inherited; a task is also any note with a checkbox. */
export function hasTagOrBox({ tags, inherited = [], done }: NoteFacts, tag: string): boolean {
  const name = folded(tag);
  if ([...tags, ...inherited].some((tag) => folded(tag) === name)) return true;
  return done !== undefined && isTaskTag(tag);
}

/** Names of which a note with this tag has one. `done` is how a checkbox is stored. */
export function namesOfTag(tag: string): string[] {
  const name = tag.trim().replace(/^#/, "");
  return isTaskTag(tag) ? [name, "done"] : [name];
}
