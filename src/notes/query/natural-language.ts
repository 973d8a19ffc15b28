import type { Condition } from "./condition.ts";
import { isoDay, today } from "./dates.ts";
import type { NoteQuery } from "./select.ts";
import { parseSort } from "./sort.ts";

/**
 * Natural-language questions about tasks: "what is overdue?", "due this week", "open tasks of Apollo". The remaining
 * words are the topic. Undefined for other questions.
 */
export function spokenQuery(question: string, now: number): (NoteQuery & { topic: string }) | undefined {
  if (question.length > longest) return undefined;
  let rest = question.toLowerCase().replace(/[?!.]+\s*$/, "");
  const conditions: Condition[] = [];
  const tags = new Set<string>();
  let state: NoteQuery["state"];
  for (const { pattern, means } of phrases) {
    const match = pattern.exec(rest);
    if (!match) continue;
    const parsed = means(match, now);
    conditions.push(...(parsed.conditions ?? []));
    for (const tag of parsed.tags ?? []) tags.add(tag);
    state ??= parsed.state;
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
  }
  if (state === undefined && conditions.length === 0) return undefined;
  // "Overdue milestones" are milestones; "overdue tasks" may be whatever has a date.
  const topic = original(question, rest.replace(filler, " ").replace(joint, " ").replace(/\s+/g, " ").trim());
  return { tags: [...tags], conditions, ...(state && { state }), sort: parseSort("due"), topic };
}

/** Longer texts are no questions. */
const longest = 200;

type Meaning = { conditions?: Condition[]; tags?: string[]; state?: "open" | "done" };

const before = (time: number): Condition => ({ field: "due", operator: "<", operand: isoDay(time) });
const within = (span: string): Condition => ({ field: "due", operator: "=", operand: span });

const things = "(?:tasks?|to-?dos?|action items?|actions|items|things)";

const phrases: { pattern: RegExp; means(match: RegExpExecArray, now: number): Meaning }[] = [
  {
    pattern: new RegExp(
      `\\b(?:overdue|past due|past (?:its|their|the) (?:due date|deadline))\\b(?:\\s+${things}\\b)?|\\blate ${things}\\b|\\b(?:is|are|running) late$`,
    ),
    means: (_, now) => ({ conditions: [before(today(now).from)], state: "open" }),
  },
  {
    pattern: new RegExp(
      `\\b(?:${things}\\s+)?(?:due|deadlines?|falls? due)\\s+(?:(?:on|in|for|by the end of)\\s+)?(today|tomorrow|this week|next week|this month|next month)\\b`,
    ),
    means: ([, span]) => ({ conditions: [within(span!)], state: "open" }),
  },
  {
    pattern: /\bdue\s+(?:by|before|until)\s+(\d{4}-\d{2}-\d{2}|today|tomorrow)\b/,
    means: ([, day]) => ({ conditions: [{ field: "due", operator: "<=", operand: day! }], state: "open" }),
  },
  {
    pattern: /\bdue\s+(?:in|within)\s+(?:the\s+next\s+)?(\d{1,3})\s+(day|week|month)s?\b/,
    means: ([, count, unit]) => ({
      conditions: [
        { field: "due", operator: ">=", operand: "today" },
        { field: "due", operator: "<=", operand: `+${count}${unit![0]}` },
      ],
      state: "open",
    }),
  },
  {
    pattern: new RegExp(`\\b(?:open|unfinished|outstanding|remaining|undone|incomplete|pending)\\s+${things}\\b`),
    means: () => ({ tags: ["task"], state: "open" }),
  },
  {
    pattern: new RegExp(
      `\\b${things}\\s+(?:that\\s+)?(?:are\\s+)?(?:still\\s+)?(?:open|unfinished|outstanding|left|not done|undone)\\b`,
    ),
    means: () => ({ tags: ["task"], state: "open" }),
  },
  {
    pattern:
      /\bwhat(?:'s| is| remains)?\s+(?:still\s+)?(?:left\s+)?to (?:be done|do)\b|\bwhat(?:'s| is)\s+(?:still\s+)?open\b/,
    means: () => ({ tags: ["task"], state: "open" }),
  },
  {
    pattern: new RegExp(`\\b(?:done|finished|completed|closed)\\s+${things}\\b`),
    means: () => ({ tags: ["task"], state: "done" }),
  },
];

/** Question words, and words that introduce a topic. */
const filler =
  /\b(?:what(?:'s| is| are)?|which|are|is|there|any|all|my|our|the|show|list|give|me|do|i|we|have|has|and|please|that|still|right now|now|currently)\b/g;
const joint = /^\s*(?:of|for|in|on|about|from|with|under|at)\b/;

/** The same words in their original case. */
function original(question: string, words: string): string {
  const at = question.toLowerCase().indexOf(words);
  return at < 0 ? words : question.slice(at, at + words.length);
}
