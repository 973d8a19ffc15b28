import { oneLine } from "../text/one-line.ts";
import type { Axis, Experience } from "./experience.ts";

/** The text of an experience on one axis, in order. Every field is a single line, so that it prints as one. */
export type AxisText = { fields: [label: string, text: string][] };

/**
 * The texts by which an experience is searched and printed. An active one has the first two, without an outcome;
 * surprise and root cause exist only for falsified ones.
 */
export function axisTexts(experience: Experience): Partial<Record<Axis, AxisText>> {
  const { outcome, surprise, rootCause } = experience;
  const texts: Partial<Record<Axis, AxisText>> = { full: full(experience), strategy: strategy(experience) };
  if (outcome?.status !== "falsified") return texts;
  if (surprise) {
    texts.surprise = axisText([
      ["Expected", experience.prediction],
      ["Actual", outcome.result],
      ["Surprise", surprise],
      ["Root cause", joinParts(rootCause?.category, rootCause?.description)],
    ]);
  }
  if (rootCause) {
    texts.root_cause = axisText([
      ["Category", rootCause.category],
      ["Description", rootCause.description],
      ["Context", joinParts(experience.domain, experience.strategy)],
      ["Original hypothesis", experience.hypothesis],
    ]);
  }
  return texts;
}

function full({ goal, hypothesis, action, prediction, outcome, surprise, lesson }: Experience): AxisText {
  return axisText([
    ["Goal", goal],
    ["Hypothesis", hypothesis],
    ["Action", action],
    ["Prediction", prediction],
    ["Outcome", joinParts(outcome?.status, outcome?.result)],
    ["Surprise", surprise],
    ["Lesson", lesson?.whatWorked],
    ["Takeaway", lesson?.takeaway],
  ]);
}

function strategy({ strategy, goal, outcome, iterations, lesson }: Experience): AxisText {
  const after = `after ${iterations} ${iterations === 1 ? "iteration" : "iterations"}`;
  return axisText([
    ["Strategy", strategy],
    ["Goal", goal],
    ["Outcome", outcome && `${outcome.status} ${after}`],
    ["What worked", lesson?.whatWorked],
  ]);
}

export function linesOf(text: AxisText): string[] {
  return text.fields.map(([label, value]) => `${label}: ${value}`);
}

function axisText(fields: [label: string, text: string | undefined][]): AxisText {
  const lines = fields.map(([label, text]): [string, string] => [label, oneLine(text ?? "")]);
  return { fields: lines.filter(([, text]) => text !== "") };
}

function joinParts(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" - ");
}
