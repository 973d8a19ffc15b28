import { oneLine } from "../text/one-line.ts";
import type { Axis, Experience } from "./experience.ts";

/** What an experience says on one axis, in order. Texts are single lines, so that each field is one printed line. */
export type AxisText = { fields: [label: string, text: string][] };

/**
 * The texts an experience is searched and printed by. One under way has the first two, without an outcome; the surprise and the root
 * cause are axes of falsified ones only.
 */
export function axisTexts(experience: Experience): Partial<Record<Axis, AxisText>> {
  const { outcome, surprise, rootCause } = experience;
  const texts: Partial<Record<Axis, AxisText>> = { full: full(experience), strategy: strategy(experience) };
  if (outcome?.status !== "falsified") return texts;
  if (surprise) {
    texts.surprise = written([
      ["Expected", experience.prediction],
      ["Actual", outcome.result],
      ["Surprise", surprise],
      ["Root cause", joined(rootCause?.category, rootCause?.description)],
    ]);
  }
  if (rootCause) {
    texts.root_cause = written([
      ["Category", rootCause.category],
      ["Description", rootCause.description],
      ["Context", joined(experience.domain, experience.strategy)],
      ["Original hypothesis", experience.hypothesis],
    ]);
  }
  return texts;
}

function full({ goal, hypothesis, action, prediction, outcome, surprise, lesson }: Experience): AxisText {
  return written([
    ["Goal", goal],
    ["Hypothesis", hypothesis],
    ["Action", action],
    ["Prediction", prediction],
    ["Outcome", joined(outcome?.status, outcome?.result)],
    ["Surprise", surprise],
    ["Lesson", lesson?.whatWorked],
    ["Takeaway", lesson?.takeaway],
  ]);
}

function strategy({ strategy, goal, outcome, iterations, lesson }: Experience): AxisText {
  const after = `after ${iterations} ${iterations === 1 ? "iteration" : "iterations"}`;
  return written([
    ["Strategy", strategy],
    ["Goal", goal],
    ["Outcome", outcome && `${outcome.status} ${after}`],
    ["What worked", lesson?.whatWorked],
  ]);
}

export function linesOf(text: AxisText): string[] {
  return text.fields.map(([label, value]) => `${label}: ${value}`);
}

function written(fields: [label: string, text: string | undefined][]): AxisText {
  const lines = fields.map(([label, text]): [string, string] => [label, oneLine(text ?? "")]);
  return { fields: lines.filter(([, text]) => text !== "") };
}

function joined(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(" - ");
}
