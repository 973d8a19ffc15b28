/** A streaming JSON reader: it holds no more of a document than one requested value. */

/** What to do with a value: visit its members, hand it over as text, or skip it. */
type Choice = "open" | "take" | "skip";

/**
 * Decides by the path and the first byte of a value. The document itself is at `""`, members of an opened object at
 * `docs` or `storeData.docs`, elements of an opened array at `docs[]`; elements of one array are decided once, by the
 * first of them. Scalars cannot be opened and are handed over instead.
 */
export type Choose = (path: string, begins: "{" | "[" | '"' | "") => Choice;

export type JsonScanner = {
  /** The next bytes, cut anywhere. The caller may reuse the buffer afterwards. */
  write(chunk: Uint8Array): void;
  /** The end of the input. */
  end(): void;
};

export class JsonError extends Error {
  readonly reason: "empty" | "truncated" | "malformed" | "too-large";
  /** Offset in bytes. */
  readonly at: number;
  constructor(reason: JsonError["reason"], at: number) {
    super(`JSON is ${reason} at byte ${at}`);
    this.reason = reason;
    this.at = at;
  }
}

/** Limit of bytes for one value; a string in JavaScript cannot be much longer. */
const largestPart = 256 * 1024 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openObject = 0x7b;
const closeObject = 0x7d;
const openArray = 0x5b;
const closeArray = 0x5d;
const byteOrderMark = [0xef, 0xbb, 0xbf];

const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** An opened object or array. `elements`: the choice for all elements of the array. */
type Level = { path: string; close: number; elements?: Choice };

type Expecting = "value" | "value-or-close" | "key" | "key-or-close" | "colon" | "comma-or-close" | "nothing";

/** Calls `take` for each value that `choose` selects, in document order. Throws `JsonError` for invalid JSON. */
export function scanJson(choose: Choose, take: (path: string, text: string) => void): JsonScanner {
  return new Scanner(choose, take);
}

/** Follows the grammar between values: where it is in the document, and what may come next. */
class Scanner implements JsonScanner {
  readonly #choose: Choose;
  readonly #take: (path: string, text: string) => void;
  readonly #levels: Level[] = [];
  #expecting: Expecting = "value";
  #path = "";
  /** Bytes of the chunks before this one. */
  #consumed = 0;
  /** The value or key that is being scanned; undefined between values. */
  #token: Token | undefined;
  /** Its bytes in earlier chunks, if its text is needed. */
  #pieces: Buffer[] = [];
  #keptBytes = 0;
  readonly #malformedAt = (at: number): never => this.#fail("malformed", at);

  constructor(choose: Choose, take: (path: string, text: string) => void) {
    this.#choose = choose;
    this.#take = take;
  }

  write(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    let start = 0;
    while (at < chunk.length) {
      if (!this.#token) {
        const byte = chunk[at]!;
        if (isBlank(byte) || this.#isByteOrderMark(byte, at)) {
          at++;
          continue;
        }
        start = at;
        this.#takeByte(byte, at++);
        if (!this.#token) continue;
      }
      const end = this.#token.endIn(chunk, at);
      if (end < 0) break;
      this.#finish(chunk.subarray(start, end), start);
      at = end;
      start = end;
    }
    if (this.#token?.needsText) this.#keep(chunk.subarray(start));
    this.#consumed += chunk.length;
  }

  end(): void {
    // Only the end of the input tells that a number is complete.
    if (this.#token?.kind === "scalar" && this.#levels.length === 0) this.#finish(Buffer.alloc(0), 0);
    if (this.#expecting === "nothing" && !this.#token) return;
    this.#fail(this.#levels.length === 0 && !this.#token ? "empty" : "truncated", 0);
  }

  #fail(reason: JsonError["reason"], at: number): never {
    throw new JsonError(reason, this.#consumed + at);
  }

  #isByteOrderMark(byte: number, at: number): boolean {
    const position = this.#consumed + at;
    return position < byteOrderMark.length && byte === byteOrderMark[position];
  }

  /** One byte between values. If a value or a key begins with it, `#token` is set afterwards. */
  #takeByte(byte: number, at: number): void {
    const close = this.#levels.at(-1)?.close;
    switch (this.#expecting) {
      case "colon":
        if (byte !== colon) this.#fail("malformed", at);
        this.#expecting = "value";
        break;
      case "comma-or-close":
        if (byte === close) this.#closeLevel();
        else if (byte === comma) this.#expecting = close === closeObject ? "key" : "value";
        else this.#fail("malformed", at);
        break;
      case "key-or-close":
        if (byte === closeObject) this.#closeLevel();
        else this.#beginKey(byte, at);
        break;
      case "key":
        this.#beginKey(byte, at);
        break;
      case "value-or-close":
        if (byte === closeArray) this.#closeLevel();
        else this.#beginValue(byte, at);
        break;
      case "value":
        this.#beginValue(byte, at);
        break;
      case "nothing":
        this.#fail("malformed", at);
    }
  }

  #closeLevel(): void {
    this.#levels.pop();
    this.#expecting = this.#levels.length > 0 ? "comma-or-close" : "nothing";
  }

  #beginKey(byte: number, at: number): void {
    if (byte !== quote) this.#fail("malformed", at);
    this.#token = new Token("key", byte, at, this.#malformedAt);
  }

  #beginValue(byte: number, at: number): void {
    const level = this.#levels.at(-1);
    const isArray = level?.close === closeArray;
    if (isArray) this.#path = `${level.path}[]`;
    const path = this.#path;
    const begins = byte === openObject ? "{" : byte === openArray ? "[" : byte === quote ? '"' : "";
    const choice = isArray ? (level.elements ??= this.#choose(path, begins)) : this.#choose(path, begins);
    if (choice === "open" && (byte === openObject || byte === openArray)) {
      this.#levels.push({ path, close: byte === openObject ? closeObject : closeArray });
      this.#expecting = byte === openObject ? "key-or-close" : "value-or-close";
      return;
    }
    this.#token = new Token(choice === "skip" ? "skipped" : "taken", byte, at, this.#malformedAt);
  }

  #keep(rest: Buffer): void {
    this.#keptBytes += rest.length;
    if (this.#keptBytes > largestPart) this.#fail("too-large", 0);
    this.#pieces.push(Buffer.from(rest));
  }

  /** `rest` completes the scanned value or key. */
  #finish(rest: Buffer, start: number): void {
    const { kind, use, needsText } = this.#token!;
    const whole = this.#keptBytes === 0 ? rest : Buffer.concat([...this.#pieces, rest]);
    const text = needsText ? whole.toString("utf8") : "";
    this.#pieces = [];
    this.#keptBytes = 0;
    this.#token = undefined;
    if (kind === "scalar" && !scalar.test(text)) this.#fail("malformed", start);
    if (use === "key") {
      const level = this.#levels.at(-1)!;
      const key = this.#parseString(text, start);
      this.#path = level.path === "" ? key : `${level.path}.${key}`;
      this.#expecting = "colon";
      return;
    }
    this.#expecting = this.#levels.length > 0 ? "comma-or-close" : "nothing";
    if (use === "taken") this.#take(this.#path, text);
  }

  #parseString(text: string, at: number): string {
    try {
      return JSON.parse(text) as string;
    } catch (error) {
      if (error instanceof SyntaxError) this.#fail("malformed", at);
      throw error;
    }
  }
}

/** A key, or a value that is not opened: finds its end, however the chunks are cut. */
class Token {
  readonly use: "key" | "taken" | "skipped";
  readonly kind: "container" | "string" | "scalar";
  readonly #malformedAt: (at: number) => never;
  /** What closes the containers that are open, the innermost last. */
  readonly #closers: number[] = [];
  #inString: boolean;
  #escaped = false;

  constructor(use: Token["use"], first: number, at: number, malformedAt: (at: number) => never) {
    this.use = use;
    this.#malformedAt = malformedAt;
    this.kind = first === quote ? "string" : first === openObject || first === openArray ? "container" : "scalar";
    this.#inString = this.kind === "string";
    if (first === openObject) this.#closers.push(closeObject);
    else if (first === openArray) this.#closers.push(closeArray);
    else if (first === closeObject || first === closeArray || first === comma || first === colon) malformedAt(at);
  }

  get needsText(): boolean {
    return this.use !== "skipped" || this.kind === "scalar";
  }

  /** The index after its last byte, or -1 if the chunk ends first. */
  endIn(chunk: Buffer, from: number): number {
    if (this.kind === "scalar") return endOfScalar(chunk, from);
    let at = from;
    while (at < chunk.length) {
      if (this.#inString) {
        at = this.#endOfString(chunk, at);
        if (at < 0 || this.kind === "string") return at;
        continue;
      }
      const byte = chunk[at++]!;
      if (byte === quote) this.#inString = true;
      else if (byte === openObject) this.#closers.push(closeObject);
      else if (byte === openArray) this.#closers.push(closeArray);
      else if (byte === closeObject || byte === closeArray) {
        if (this.#closers.pop() !== byte) this.#malformedAt(at - 1);
        if (this.#closers.length === 0) return at;
      }
    }
    return -1;
  }

  /** The index after the closing quote, or -1. */
  #endOfString(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      if (this.#escaped) {
        this.#escaped = false;
        continue;
      }
      let byte = 0;
      while (at < chunk.length && (byte = chunk[at]!) !== quote && byte !== backslash) at++;
      if (at === chunk.length) return -1;
      if (byte === quote) {
        this.#inString = false;
        return at + 1;
      }
      this.#escaped = true;
    }
    return -1;
  }
}

function endOfScalar(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) if (isDelimiter(chunk[at]!)) return at;
  return -1;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDelimiter(byte: number): boolean {
  return byte === comma || byte === closeObject || byte === closeArray || isBlank(byte);
}
