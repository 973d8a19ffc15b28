import { paint } from "../terminal/colours.ts";
import { plain } from "../terminal/phrases.ts";
import type { ShownExperience } from "./experience-shape.ts";

/** One experience for people on a terminal. */
export function experienceText(experience: ShownExperience, colour: boolean): string {
  const p = paint(colour);
  const { history, notes, outcome, rootCause, lesson } = experience;
  const lines = [`${p.cyan(experience.id)}  ${experience.domain} | ${experience.strategy}  ${stateOf(experience)}`];
  const add = (label: string, text: string | undefined) => {
    if (text !== undefined) lines.push(`${p.bold(`${label}:`)} ${plain(text)}`);
  };
  add("Goal", experience.goal);
  for (const [position, attempt] of history.entries()) {
    lines.push(p.dim(`Attempt ${position + 1}, until ${minute(attempt.until)} (${attempt.strategy})`));
    const former = [attempt.hypothesis, attempt.action, attempt.prediction].map(plain).join(" → ");
    lines.push(p.dim(`  ${former}`));
    if (attempt.observed !== undefined) lines.push(p.dim(`  Observed: ${plain(attempt.observed)}`));
  }
  add("Hypothesis", experience.hypothesis);
  add("Action", experience.action);
  add("Prediction", experience.prediction);
  add("Outcome", outcome && [outcome.status, outcome.result].filter(Boolean).join(" - "));
  add("Surprise", experience.surprise);
  add("Root cause", rootCause && `${rootCause.category} - ${rootCause.description}`);
  add("Lesson", lesson?.whatWorked);
  add("Takeaway", lesson?.takeaway);
  for (const { at, text } of notes) add(`Note, ${minute(at)}`, text);
  lines.push(p.dim(`session ${plain(experience.session)}, started ${minute(experience.created)}`));
  return lines.join("\n");
}

/** "falsified (gold)", "active, attempt 2", "failed, to be resolved". */
export function stateOf({ active, outcome, tier, iterations }: ShownExperience): string {
  if (!active) return outcome?.status === tier ? tier! : `${outcome?.status} (${tier})`;
  if (outcome) return `${outcome.status}, to be explained`;
  return iterations > 1 ? `active, attempt ${iterations}` : "active";
}

function minute(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}
