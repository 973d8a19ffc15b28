/** Longer tokens are cut: a commit message of many megabytes is a pasted log, or an attack. */
const longestToken = 1024 * 1024;

/** Splits a stream of bytes at a separator, across chunk borders. Invalid UTF-8 becomes U+FFFD. */
export class TokenReader {
  readonly #separator: number;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(separator: "\0" | "\n") {
    this.#separator = separator.charCodeAt(0);
  }

  /** The tokens that this chunk completes. */
  take(chunk: Buffer): string[] {
    const tokens: string[] = [];
    for (let start = 0; ; ) {
      const end = chunk.indexOf(this.#separator, start);
      if (end < 0) {
        this.#keep(chunk.subarray(start));
        return tokens;
      }
      if (this.#pieces.length === 0 && end - start <= longestToken) tokens.push(chunk.toString("utf8", start, end));
      else {
        this.#keep(chunk.subarray(start, end));
        tokens.push(this.rest());
      }
      start = end + 1;
    }
  }

  /** The token after the last separator. */
  rest(): string {
    const text = Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#size = 0;
    return text;
  }

  #keep(piece: Buffer): void {
    const room = longestToken - this.#size;
    if (piece.length === 0 || room <= 0) return;
    this.#pieces.push(piece.subarray(0, room));
    this.#size += Math.min(piece.length, room);
  }
}
