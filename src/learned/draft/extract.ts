import { redact } from "../../text/secrets/secrets.ts";
import { similarity } from "../../text/similarity/similarity.ts";
import type { Category } from "../memory.ts";
import { attemptsOf } from "./attempts.ts";
import { type MemoryDraft, mostDrafts } from "./draft.ts";
import type { SessionEvent, Utterance } from "./session-events.ts";

type Rule = {
  by: Utterance["by"] | "both";
  category: Category;
  pattern: RegExp;
  /** Sentences that look the same and state nothing. */
  unless?: RegExp;
};

/**
 * Sentences that state something for later, by how people and agents begin them. Few and simple rules: an unwanted
 * draft costs a look, and a missed one costs nothing new.
 */
const rules: readonly Rule[] = [
  {
    by: "user",
    category: "preference",
    pattern:
      /^(?:please,? )?(?:always|never|from now on|in (?:the )?future|remember (?:that|to)|keep in mind|don't ever|do not ever|by default)\b|\b(?:from now on|in (?:the )?future)[,.]|\bI(?:'d| would)? (?:always |strongly |really )?prefer\b|\b(?:we|I) (?:always|never) /i,
  },
  {
    by: "both",
    category: "decision",
    pattern:
      /\b(?:we|I)(?:'ve| have)? (?:decided|agreed|chose|opted|settled on|went with)\b|\b(?:let's|we(?:'ll| will)|I(?:'ll| will)) (?:go|stick) with\b|\bthe decision (?:is|was)\b|^decision:/i,
  },
  {
    by: "agent",
    category: "error",
    pattern:
      /\b(?:root cause|the (?:actual |real )?(?:bug|problem|issue|failure|culprit) (?:was|is) )|\bturn(?:s|ed) out (?:that|to)\b|\bcaused by\b/i,
  },
  {
    by: "agent",
    category: "event",
    pattern:
      /\b(?:I|we) (?:tried|attempted)\b.{3,200}\b(?:but|failed|fails|did(?:n't| not)|still|without success)\b|\b(?:did(?:n't| not)|does(?:n't| not)) (?:work|help)\b.{0,120}\bbecause\b|\b(?:I|we) (?:first|initially) \w+ed\b.{3,200}\bbut\b|\b(?:I|we)(?:'ve| have)? (?:reverted|abandoned|backed out|gave up on|rolled back)\b.{3,200}\b(?:because|since|as)\b/i,
    unless:
      /\b(?:if|unless|whether|should|could|would|might|may|let me|let's|in case|when(?:ever)?)\b.{0,80}\b(?:tr(?:y|ied)|attempted|work|help)\b|\b(?:tried|attempted) to (?:find|look|locate|keep|be|read|open|search|see|understand|explain|check|reach|recall)\b/i,
  },
];

const shortest = 20;
const longest = 400;
/** Similarity from which two drafts are one. */
const same = 0.85;
/** Most sentences of a session: each is compared with the others. */
const mostCompared = 200;

/** Drafts of statements and of attempts. Sentences with secrets, questions and code are skipped. */
export function draftsOf(events: readonly SessionEvent[], session?: string): MemoryDraft[] {
  const found = [
    ...statementsOf(events),
    ...attemptsOf(events).map((attempt) => ({ ...attempt, said: "nobody" as const })),
  ]
    .sort((a, b) => a.at - b.at)
    .slice(-mostCompared);
  const drafts: MemoryDraft[] = [];
  for (const { at: _, ...draft } of found) {
    if (redact(draft.content).found > 0) continue;
    if (drafts.some(({ content }) => similarity(content, draft.content) >= same)) continue;
    drafts.push({ ...draft, ...(session !== undefined && { session }) });
  }
  // The end of a session knows more than its beginning.
  return drafts.slice(-mostDrafts);
}

type Statement = { at: number; content: string; category: Category; said: Utterance["by"] };

function statementsOf(events: readonly SessionEvent[]): Statement[] {
  return events.flatMap((event, at) => {
    if (event.kind !== "said") return [];
    return sentencesOf(event.text).flatMap((content): Statement[] => {
      const rule = rules.find(
        ({ by, pattern, unless }) =>
          (by === event.by || by === "both") && pattern.test(content) && !unless?.test(content),
      );
      return rule ? [{ at, content, category: rule.category, said: event.by }] : [];
    });
  });
}

/** The sentences of the prose: without code, quotes, tags of the client and control characters. */
function sentencesOf(text: string): string[] {
  return text
    .slice(-longestText)
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    .replace(/<([a-z][\w-]*)>[\s\S]*?<\/\1>/gi, "\n")
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ")
    .split(/\n+/)
    .map((line) => line.replace(/^\s*(?:[-*+>]|\d{1,3}[.)]|#{1,6})\s+/, "").trim())
    .filter((line) => line !== "" && line.length <= longestLine && !line.startsWith("|"))
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=[\p{Lu}\d"'`*])/u))
    .map((sentence) =>
      sentence
        .replace(/\*\*|__/g, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter(({ length }) => length >= shortest && length <= longest)
    .filter((sentence) => !sentence.endsWith("?") && !sentence.endsWith(":"));
}

/** Limit per message; a longer one is pasted text. */
const longestText = 20_000;
const longestLine = 2_000;
