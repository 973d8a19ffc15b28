import { paint } from "../terminal/colours.ts";
import { bytes, grouped, plain } from "../terminal/phrases.ts";
import type { ModelOutput } from "./shape.ts";

/** A model as people read of it: what it is, how far its vectors are, what comes next. */
export function modelText(output: ModelOutput, colour: boolean): string {
  const p = paint(colour);
  const { model, message, files = [], others, next } = output;
  const lines = [plain(message)];
  if (model) {
    const dimensions = model.dimensions === undefined ? "" : `, ${model.dimensions} dimensions`;
    lines.push(`  ${p.bold(plain(model.name))} (${model.provider}${dimensions}) ${plain(model.place)}`);
    if (model.licence) lines.push(`  licence ${plain(model.licence)}`);
    for (const { name, bytes: size, sha256 } of files) lines.push(p.dim(`  ${name} ${bytes(size)} sha256 ${sha256}`));
    if (output.items > 0) lines.push(`  ${progressText(output)}`);
  }
  for (const { name, vectors } of others) {
    lines.push(p.dim(`  also known: ${plain(name)}${vectors > 0 ? ` (${grouped(vectors)} vectors)` : ""}`));
  }
  for (const command of next) lines.push(p.dim(`  ${command}`));
  return lines.join("\n");
}

function progressText({ made, items, complete, secondsLeft, answering }: ModelOutput): string {
  const far = `${grouped(made)} of ${grouped(items)} vectors`;
  if (complete) return `${far}; questions are answered with it`;
  const left = secondsLeft === undefined ? "" : `, about ${timeText(secondsLeft)} to go`;
  const until = answering === "builtin" ? "the built-in ones answer" : `those of ${plain(answering)} answer`;
  return `${far}${left}; until then ${until}`;
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}
