import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DossierError } from "../../errors.ts";
import { openWordPiece, type WordPieceJson } from "./wordpiece.ts";

/** Splits texts into the pieces a model was trained on, as the model's `tokenizer.json` defines them. */
export type Tokenizer = {
  /** The ids of a text's tokens, at most `limit` of them, without the special tokens around a text. */
  encode(text: string, limit: number): number[];
  /** The special tokens before and after a text: [CLS] and [SEP] in BERT's family. */
  before: number[];
  after: number[];
  /** The id for a piece that is not in the vocabulary. */
  unknown?: number;
  padding: number;
  /** One more than the largest id. */
  size: number;
};

/** The parts of a `tokenizer.json` that are read here; the rest is for the package that knows every kind. */
export type TokenizerJson = {
  model: {
    type?: string;
    vocab: Record<string, number> | [string, number][];
    unk_token?: string | null;
    unk_id?: number | null;
  };
  added_tokens?: {
    id: number;
    content: string;
    single_word?: boolean;
    lstrip?: boolean;
    rstrip?: boolean;
    normalized?: boolean;
  }[];
  padding?: { pad_id?: number } | null;
};

/** Reads the `tokenizer.json` of a model's folder. */
export async function openTokenizer(folder: string): Promise<Tokenizer> {
  const path = join(folder, "tokenizer.json");
  const json = readTokenizerJson(path);
  const wordPiece = openWordPiece(json as WordPieceJson);
  if (wordPiece) return wordPiece;
  const { openAnyTokenizer } = await import("./any-tokenizer.ts");
  try {
    return openAnyTokenizer(json);
  } catch (error) {
    throw damaged(
      `${path} is of a kind that is not supported (${error instanceof Error ? error.message : error}).`,
      error,
    );
  }
}

function readTokenizerJson(path: string): TokenizerJson {
  let json: Partial<TokenizerJson> | null;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw damaged(`There is no ${path}.`, error);
    if (error instanceof SyntaxError) throw damaged(`${path} is not JSON.`, error);
    throw error;
  }
  if (typeof json?.model?.vocab !== "object" || json.model.vocab === null) {
    throw damaged(`${path} holds no vocabulary, so it is not a tokenizer.`);
  }
  return json as TokenizerJson;
}

function damaged(message: string, cause?: unknown): DossierError {
  return new DossierError("model-damaged", message, { cause });
}
