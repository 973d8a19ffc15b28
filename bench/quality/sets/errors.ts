import type { Answer, Span } from "../measures/answer.ts";
import { type MessageCase, messagesOf } from "../mining/error-messages.ts";
import type { Scores } from "../set.ts";
import { type MinedSet, minedSet } from "./mined-set.ts";

/**
 * A message that a program printed, its holes filled, and the statement that it comes from.
 * - `first three items`: a line of the statement is in them.
 * - `first three blocks`: the same, with items of one file that follow each other as one block.
 */
const perRepository = 12;
const first = 3;

export const minedErrors: MinedSet<MessageCase> = {
  name: "errors",
  about: "messages of errors and logs with their holes filled, and the statements that they come from",
  mine: (files) => messagesOf(files, perRepository),
  idOf: ({ query, sites }) => `${query} <- ${sites.map((site) => `${site.path}:${site.first}-${site.last}`).join(" ")}`,
  scoresOf: scoresOfMessage,
};

export const errors = minedSet(minedErrors);

function scoresOfMessage({ spans, used }: Answer, { sites }: MessageCase): Scores {
  const raises = ({ path, lines }: Span) =>
    sites.some((site) => site.path === path && lines.some((line) => line >= site.first && line <= site.last));
  return {
    "first item": Number(spans.slice(0, 1).some(raises)),
    "first three items": Number(spans.slice(0, first).some(raises)),
    "first three blocks": Number(firstBlocks(spans, first).some(raises)),
    printed: Number(spans.some(raises)),
    tokens: used,
  };
}

function firstBlocks(spans: readonly Span[], count: number): Span[] {
  let blocks = 0;
  return spans.filter(({ path }, i) => {
    if (i === 0 || spans[i - 1]!.path !== path) blocks++;
    return blocks <= count;
  });
}
