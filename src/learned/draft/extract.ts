import { redact } from "../../text/secrets/secrets.ts";
import { similarity } from "../../text/similarity/similarity.ts";
import type { Category } from "../memory.ts";
import { type MemoryDraft, mostDrafts } from "./draft.ts";

/** One message of a session. */
export type Utterance = { by: "user" | "agent"; text: string };

type Rule = { by: Utterance["by"] | "both"; category: Category; pattern: RegExp };

/**
 * Sentences that state something for later, by how people and agents begin them. Few and simple rules: an unwanted draft costs a look,
 * and a missed one costs nothing new.
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
      /\b(?:I|we) (?:tried|attempted)\b.{3,200}\b(?:but|failed|fails|did(?:n't| not)|still|without success)\b|\b(?:did(?:n't| not)|does(?:n't| not)) (?:work|help)\b.{0,120}\bbecause\b/i,
  },
];

const shortest = 20;
const longest = 400;
/** Similarity from which two drafts are one. */
const same = 0.85;

/** Drafts of decisions and findings. Sentences with secrets, questions and code are skipped. */
export function draftsOf(utterances: Iterable<Utterance>, session?: string): MemoryDraft[] {
  const drafts: MemoryDraft[] = [];
  for (const { by, text } of utterances) {
    for (const sentence of sentencesOf(text)) {
      const rule = rules.find((each) => (each.by === by || each.by === "both") && each.pattern.test(sentence));
      if (!rule || redact(sentence).found > 0) continue;
      if (drafts.some(({ content }) => similarity(content, sentence) >= same)) continue;
      drafts.push({ content: sentence, category: rule.category, said: by, ...(session !== undefined && { session }) });
    }
  }
  // The end of a session knows more than its beginning.
  return drafts.slice(-mostDrafts);
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
