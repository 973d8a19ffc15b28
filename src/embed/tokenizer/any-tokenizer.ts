import { Tokenizer as PackageTokenizer } from "@huggingface/tokenizers";
import type { Tokenizer, TokenizerJson } from "./tokenizer.ts";
import { charactersPerPiece } from "./wordpiece.ts";

/**
 * Opens every other kind of `tokenizer.json` (Unigram, BPE, WordPiece with other rules) with the package of the
 * format's authors.
 */
export function openAnyTokenizer(json: TokenizerJson): Tokenizer {
  const tokenizer = new PackageTokenizer(json, {});
  const encode = (text: string, isMarked: boolean) => tokenizer.encode(text, { add_special_tokens: isMarked }).ids;
  const { before, after } = marksAround(encode("a", true), encode("a", false));
  const ids = Array.isArray(json.model.vocab) ? [json.model.vocab.length - 1] : Object.values(json.model.vocab);
  const added = json.added_tokens ?? [];
  const idOf = (content: string) => tokenizer.token_to_id(content);
  return {
    before,
    after,
    unknown: json.model.unk_id ?? (json.model.unk_token ? idOf(json.model.unk_token) : undefined),
    padding: json.padding?.pad_id ?? idOf("<pad>") ?? idOf("[PAD]") ?? 0,
    size: ids.concat(added.map(({ id }) => id)).reduce((most, id) => Math.max(most, id), 0) + 1,
    encode: (text, limit) => encode(text.slice(0, limit * charactersPerPiece), false).slice(0, limit),
  };
}

/** The special tokens before and after the pieces. */
function marksAround(marked: number[], plain: number[]): { before: number[]; after: number[] } {
  const start = marked.findIndex((_, at) => plain.every((id, i) => marked[at + i] === id));
  if (start < 0) return { before: [], after: [] };
  return { before: marked.slice(0, start), after: marked.slice(start + plain.length) };
}
