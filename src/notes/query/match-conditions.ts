import type { NoteField } from "../../note.ts";
import type { NoteFacts } from "../../stores/graph.ts";
import type { Condition } from "./condition.ts";
import { fieldOf, isOfEveryNote, namesOf } from "./fields.ts";
import { isStatus, isTaskTag, stateAsked, stateOf } from "./state.ts";
import { compares, equals, folded, type Operand, operandOf } from "./values.ts";

/** Conditions that all must hold, ready to be asked of many notes. */
export type Test = {
  holds(note: NoteFacts): boolean;
  /** Names of which a note must say one, by condition: what says none of them cannot hold. */
  needed: string[][];
  /** By the name of a field: values that should be compared and cannot be, with the first of them. */
  incomparable: Map<string, { count: number; example: string }>;
};

type Asked = { condition: Condition; names: string[]; operand: Operand };

export function testOf(conditions: readonly Condition[], now: number): Test {
  const asked = conditions.map(
    (condition): Asked => ({ condition, names: namesOf(condition.field), operand: operandOf(condition.operand, now) }),
  );
  const incomparable: Test["incomparable"] = new Map();
  const note = (field: string, example: string) => {
    const known = incomparable.get(field);
    incomparable.set(field, { count: (known?.count ?? 0) + 1, example: known?.example ?? example });
  };
  return {
    holds: (facts) => asked.every((each) => holds(facts, each, note)),
    needed: asked.filter(needsField).map(({ names }) => names),
    incomparable,
  };
}

/** What is true of notes without the field needs no field; nor does what a box says, or a note's own name and times. */
function needsField({ condition, names, operand }: Asked): boolean {
  if (condition.operator === "absent" || condition.operator === "!=") return false;
  return !isOfEveryNote(condition.field) && !(isStatus(names[0]!) && stateAsked(operand.text) !== undefined);
}

function holds(
  note: NoteFacts,
  { condition: { field: written, operator }, names, operand }: Asked,
  remark: (field: string, example: string) => void,
): boolean {
  const field = fieldOf(note, names);
  if (operator === "present") return field !== undefined;
  if (operator === "absent") return field === undefined;
  if (operator === "=" || operator === "!=") {
    const isSo = isSaid(field, operand) || isState(note, field, names[0]!, operand);
    return isSo === (operator === "=");
  }
  if (!field) return false;
  if (operator === "contains") return field.values.some(({ text }) => folded(text).includes(operand.text));
  return field.values.some((value) => {
    const result = compares(value, field.type, operator, operand);
    if (result === undefined) remark(written, value.text);
    return result === true;
  });
}

function isSaid(field: NoteField | undefined, operand: Operand): boolean {
  return field?.values.some((value) => equals(value, field.type, operand)) ?? false;
}

/** Open and done are said by boxes, too. A status in other words is not contradicted. */
function isState(note: NoteFacts, field: NoteField | undefined, name: string, { text }: Operand): boolean {
  const state = isStatus(name) ? stateAsked(text) : undefined;
  if (state === undefined || note.done === undefined) return false;
  return stateOf(note) === state && (field === undefined || state === "done" || note.done === false);
}

/** Whether a note has a tag, itself or by inheritance; a task is also what has a box. */
export function hasTagOrBox({ tags, inherited = [], done }: NoteFacts, wanted: string): boolean {
  const name = folded(wanted);
  if ([...tags, ...inherited].some((tag) => folded(tag) === name)) return true;
  return done !== undefined && isTaskTag(wanted);
}

/** Names of which a note with this tag says one. `done` is how a box is kept. */
export function namesOfTag(wanted: string): string[] {
  const name = wanted.trim().replace(/^#/, "");
  return isTaskTag(wanted) ? [name, "done"] : [name];
}
