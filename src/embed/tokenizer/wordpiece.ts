import type { Tokenizer, TokenizerJson } from "./tokenizer.ts";

/**
 * WordPiece as BERT's family uses it, implemented here: nearly every small model uses it, and the package that reads
 * every kind is several times slower. The ids are the same as those of Hugging Face's `tokenizers`, text by text.
 */

export type WordPieceJson = TokenizerJson & {
  model: { continuing_subword_prefix?: string; max_input_chars_per_word?: number };
  normalizer?: {
    type?: string;
    clean_text?: boolean;
    handle_chinese_chars?: boolean;
    strip_accents?: boolean | null;
    lowercase?: boolean;
  } | null;
  pre_tokenizer?: { type?: string } | null;
  post_processor?: {
    type?: string;
    single?: Record<string, { id?: string }>[];
    special_tokens?: Record<string, { ids?: number[] }>;
    cls?: [string, number];
    sep?: [string, number];
  } | null;
};

/** Most cached words with their pieces: code repeats the same few thousand words. */
const mostRemembered = 50_000;
/** Characters to read for each wanted token. A token has four on average; the spaces of indented code have no token. */
export const charactersPerPiece = 40;

/**
 * Separators of words, and characters that are single words: ASCII punctuation includes characters that Unicode
 * classifies as symbols.
 */
const words = /[!-/:-@[-`{-~]|\p{P}|[^\p{White_Space}!-/:-@[-`{-~\p{P}]+/gu;
const asciiWords = /[!-/:-@[-`{-~]|[^\s!-/:-@[-`{-~]+/g;
/** Unassigned characters stay: Unicode versions assign different characters, but the ids must be the same. */
const controls = /\ufffd|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const spaces = /\p{White_Space}/gu;
/** The blocks that BERT calls Chinese; each character is a word. */
const chinese =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const notAscii = /[^\0-\x7f]/;
const asciiControls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** Undefined if the file requires rules other than BERT's own. */
export function openWordPiece(json: WordPieceJson): Tokenizer | undefined {
  const { model, normalizer, pre_tokenizer: preTokenizer, added_tokens: added = [] } = json;
  const isPlain = added.every((token) => !token.single_word && !token.lstrip && !token.rstrip && !token.normalized);
  const marks = marksOf(json);
  if (model.type !== "WordPiece" || Array.isArray(model.vocab) || !isPlain || !marks) return undefined;
  if (normalizer?.type !== "BertNormalizer" || preTokenizer?.type !== "BertPreTokenizer") return undefined;

  const vocabulary = new Map(Object.entries(model.vocab));
  const unknown = vocabulary.get(model.unk_token ?? "[UNK]");
  if (unknown === undefined) return undefined;
  const prefix = model.continuing_subword_prefix ?? "##";
  const longestWord = model.max_input_chars_per_word ?? 100;
  const normalise = normaliserOf(normalizer);
  const addedIds = new Map(added.map(({ content, id }) => [content, id]));
  const addedPattern = patternOf([...addedIds.keys()]);
  let remembered = new Map<string, number[]>();

  /**
   * The longest piece of the vocabulary that the word begins with, then the longest piece of the rest. A word that
   * cannot be split completely is unknown.
   */
  function piecesOf(word: string): number[] {
    const cached = remembered.get(word);
    if (cached) return cached;
    const pieces = splitWord(word);
    if (remembered.size >= mostRemembered) remembered = new Map();
    remembered.set(word, pieces);
    return pieces;
  }

  function splitWord(word: string): number[] {
    const whole = vocabulary.get(word);
    // Counted in characters, not in UTF-16 units.
    const characters = word.length > longestWord ? [...word].length : word.length;
    if (characters > longestWord) return [unknown!];
    if (whole !== undefined) return [whole];
    const pieces: number[] = [];
    for (let start = 0; start < word.length; ) {
      let end = word.length;
      let id: number | undefined;
      for (; end > start; end--) {
        id = vocabulary.get(start === 0 ? word.slice(0, end) : prefix + word.slice(start, end));
        if (id !== undefined) break;
      }
      if (id === undefined) return [unknown!];
      pieces.push(id);
      start = end;
    }
    return pieces;
  }

  function encodePart(text: string, ids: number[], limit: number): void {
    const isAscii = !notAscii.test(text);
    for (const word of normalise(text, isAscii).match(isAscii ? asciiWords : words) ?? []) {
      for (const piece of piecesOf(word)) ids.push(piece);
      if (ids.length >= limit) return;
    }
  }

  return {
    ...marks,
    unknown,
    padding: json.padding?.pad_id ?? vocabulary.get("[PAD]") ?? 0,
    size: Math.max(...vocabulary.values(), ...addedIds.values()) + 1,
    encode(text, limit) {
      const ids: number[] = [];
      const start = text.slice(0, limit * charactersPerPiece);
      // Splitting by a pattern in parentheses returns the texts between the marks, and the marks.
      for (const part of addedPattern ? start.split(addedPattern) : [start]) {
        const id = addedIds.get(part);
        if (id !== undefined) ids.push(id);
        else if (part !== "") encodePart(part, ids, limit);
        if (ids.length >= limit) break;
      }
      return ids.length > limit ? ids.slice(0, limit) : ids;
    },
  };
}

function normaliserOf(rules: NonNullable<WordPieceJson["normalizer"]>): (text: string, isAscii: boolean) => string {
  const { clean_text: cleans = true, handle_chinese_chars: splitsChinese = true, lowercase: lowers = true } = rules;
  const stripsAccents = rules.strip_accents ?? lowers;
  return (text, isAscii) => {
    if (isAscii) {
      const clean = cleans ? text.replace(asciiControls, "") : text;
      return lowers ? clean.toLowerCase() : clean;
    }
    let result = text;
    if (cleans) result = result.replace(controls, "").replace(spaces, " ");
    if (splitsChinese) result = result.replace(chinese, " $& ");
    if (stripsAccents) result = result.normalize("NFD").replace(/\p{Mn}/gu, "");
    // Lower-cased letter by letter: in a whole text, JavaScript writes a sigma at a word's end differently.
    if (lowers) result = result.replace(/\p{Changes_When_Lowercased}/gu, (letter) => letter.toLowerCase());
    return result;
  };
}

/** The special tokens around a text; undefined if the file places them in an unknown way. */
function marksOf({ post_processor: processor }: WordPieceJson): { before: number[]; after: number[] } | undefined {
  const before: number[] = [];
  const after: number[] = [];
  if (!processor) return { before, after };
  if (processor.type === "BertProcessing" && processor.cls && processor.sep) {
    return { before: [processor.cls[1]], after: [processor.sep[1]] };
  }
  if (processor.type !== "TemplateProcessing") return undefined;
  let side = before;
  for (const step of processor.single ?? []) {
    if (step.Sequence) side = after;
    else side.push(...(processor.special_tokens?.[step.SpecialToken?.id ?? ""]?.ids ?? []));
  }
  return { before, after };
}

function patternOf(contents: string[]): RegExp | undefined {
  if (contents.length === 0) return undefined;
  const escaped = [...contents]
    .sort((a, b) => b.length - a.length)
    .map((content) => content.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  return new RegExp(`(${escaped.join("|")})`);
}
