import { DossierError } from "../../errors.ts";
import { type Encoding, tokenCounter } from "../tokens/tokens.ts";
import { type TruncationName, truncate } from "./truncate.ts";

export type TruncationOptions = {
  /** The language's name ("typescript", "python"): decides the comment syntax of marks, and what a cut leaves open. */
  language?: string;
  /** The encoding in which tokens are counted; o200k_base by default. */
  encoding?: Encoding;
};

/** A way to shorten code to at most `maxTokens` tokens, counted exactly; "" if not even a mark fits. */
export type TruncationStrategy = {
  name: TruncationName;
  truncate(code: string, maxTokens: number, options?: TruncationOptions): string;
};

/** The whole signature, then the body from its beginning. */
export const truncateSignatureFirst = strategy("signature-first");
/** The first and the last lines. */
export const truncateBookend = strategy("bookend");
/** The first lines. */
export const truncateHead = strategy("head");

/** Every strategy by its value of the option `truncation`. */
export const truncationStrategies: Readonly<Record<TruncationName, TruncationStrategy>> = {
  "signature-first": { name: "signature-first", truncate: truncateSignatureFirst },
  bookend: { name: "bookend", truncate: truncateBookend },
  head: { name: "head", truncate: truncateHead },
};

function strategy(name: TruncationName): TruncationStrategy["truncate"] {
  return (code, maxTokens, { language, encoding = "o200k_base" } = {}) => {
    if (!(maxTokens >= 0)) throw new DossierError("bad-input", `maxTokens takes a number from 0 on, not ${maxTokens}.`);
    const counter = tokenCounter(encoding);
    const options = { strategy: name, maxTokens: Math.floor(maxTokens), counter, ...(language ? { language } : {}) };
    return truncate(code, options)?.text ?? "";
  };
}
