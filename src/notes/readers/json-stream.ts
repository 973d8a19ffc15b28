/** A streaming JSON reader: it holds no more of a document than one requested value. */

/** What to do with a value: visit its members, hand it over as text, or skip it. */
type Choice = "open" | "take" | "skip";

/**
 * Decides by the path and the first byte of a value. The document itself is at `""`, members of an opened object at `docs` or
 * `storeData.docs`, elements of an opened array at `docs[]`; elements of one array are decided once, by the first of them. Scalars
 * cannot be opened and are handed over instead.
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
  const levels: Level[] = [];
  let expecting: Expecting = "value";
  let path = "";
  let consumed = 0;

  // The value or key that is being scanned: "" between values.
  let passing: "" | "container" | "string" | "scalar" = "";
  let passingKey = false;
  let isTaken = false;
  let closers: number[] = [];
  let inString = false;
  let escaped = false;
  let pieces: Buffer[] = [];
  let keptBytes = 0;

  function fail(reason: JsonError["reason"], at: number): never {
    throw new JsonError(reason, consumed + at);
  }

  function begin(byte: number, at: number): void {
    passing = byte === quote ? "string" : byte === openObject || byte === openArray ? "container" : "scalar";
    inString = passing === "string";
    closers = byte === openObject ? [closeObject] : byte === openArray ? [closeArray] : [];
    if (byte === closeObject || byte === closeArray || byte === comma || byte === colon) fail("malformed", at);
  }

  /** A value begins here. If it is opened, nothing is being scanned afterwards. */
  function beginValue(byte: number, at: number): void {
    const level = levels.at(-1);
    const isArray = level?.close === closeArray;
    if (isArray) path = `${level.path}[]`;
    const begins = byte === openObject ? "{" : byte === openArray ? "[" : byte === quote ? '"' : "";
    const choice = isArray ? (level.elements ??= choose(path, begins)) : choose(path, begins);
    if (choice === "open" && (byte === openObject || byte === openArray)) {
      levels.push({ path, close: byte === openObject ? closeObject : closeArray });
      expecting = byte === openObject ? "key-or-close" : "value-or-close";
      return;
    }
    begin(byte, at);
    isTaken = choice !== "skip";
  }

  /** The bytes from `start` to `end` complete the scanned value or key. */
  function finish(chunk: Buffer, start: number, end: number): void {
    const isScalar = passing === "scalar";
    const needsText = isTaken || passingKey || isScalar;
    let text = "";
    if (needsText) {
      const rest = chunk.subarray(start, end);
      text = keptBytes === 0 ? rest.toString("utf8") : Buffer.concat([...pieces, rest]).toString("utf8");
    }
    pieces = [];
    keptBytes = 0;
    passing = "";
    if (isScalar && !scalar.test(text)) fail("malformed", start);
    if (passingKey) {
      passingKey = false;
      const level = levels.at(-1)!;
      const key = parsed(text, start);
      path = level.path === "" ? key : `${level.path}.${key}`;
      expecting = "colon";
      return;
    }
    expecting = levels.length > 0 ? "comma-or-close" : "nothing";
    if (isTaken) take(path, text);
  }

  function parsed(text: string, at: number): string {
    try {
      return JSON.parse(text) as string;
    } catch (error) {
      if (error instanceof SyntaxError) fail("malformed", at);
      throw error;
    }
  }

  /** Continues inside a value. Returns its end, or -1 if the chunk ends first. */
  function pass(chunk: Buffer, from: number): number {
    const { length } = chunk;
    let at = from;
    if (passing === "scalar") {
      for (; at < length; at++) if (isDelimiter(chunk[at]!)) return at;
      return -1;
    }
    while (at < length) {
      if (inString) {
        if (escaped) {
          escaped = false;
          at++;
          continue;
        }
        let byte = 0;
        while (at < length && (byte = chunk[at]!) !== quote && byte !== backslash) at++;
        if (at === length) return -1;
        at++;
        if (byte === backslash) {
          escaped = true;
          continue;
        }
        inString = false;
        if (passing === "string") return at;
        continue;
      }
      const byte = chunk[at++]!;
      if (byte === quote) inString = true;
      else if (byte === openObject) closers.push(closeObject);
      else if (byte === openArray) closers.push(closeArray);
      else if (byte === closeObject || byte === closeArray) {
        if (closers.pop() !== byte) fail("malformed", at - 1);
        if (closers.length === 0) return at;
      }
    }
    return -1;
  }

  /** One byte between values. Returns true if a value or a key begins with it. */
  function between(byte: number, at: number): boolean {
    switch (expecting) {
      case "colon":
        if (byte !== colon) fail("malformed", at);
        expecting = "value";
        return false;
      case "comma-or-close":
        if (byte === levels.at(-1)!.close) return close();
        if (byte !== comma) fail("malformed", at);
        expecting = levels.at(-1)!.close === closeObject ? "key" : "value";
        return false;
      case "key-or-close":
        if (byte === closeObject) return close();
        return beginKey(byte, at);
      case "key":
        return beginKey(byte, at);
      case "value-or-close":
        if (byte === closeArray) return close();
        beginValue(byte, at);
        return passing !== "";
      case "value":
        beginValue(byte, at);
        return passing !== "";
      default:
        return fail("malformed", at);
    }
  }

  function close(): boolean {
    levels.pop();
    expecting = levels.length > 0 ? "comma-or-close" : "nothing";
    return false;
  }

  function beginKey(byte: number, at: number): boolean {
    if (byte !== quote) fail("malformed", at);
    begin(byte, at);
    passingKey = true;
    return true;
  }

  function write(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    let start = 0;
    while (at < chunk.length) {
      if (passing === "") {
        const byte = chunk[at]!;
        if (isBlank(byte) || (consumed + at < 3 && byte === byteOrderMark[consumed + at])) {
          at++;
          continue;
        }
        start = at;
        if (!between(byte, at++)) continue;
      }
      const end = pass(chunk, at);
      if (end < 0) break;
      finish(chunk, start, end);
      at = end;
      start = end;
    }
    if (passing !== "" && (isTaken || passingKey || passing === "scalar")) keep(chunk.subarray(start));
    consumed += chunk.length;
  }

  function keep(rest: Buffer): void {
    keptBytes += rest.length;
    if (keptBytes > largestPart) fail("too-large", 0);
    pieces.push(Buffer.from(rest));
  }

  function end(): void {
    if (passing === "scalar" && levels.length === 0) finish(Buffer.alloc(0), 0, 0);
    if (expecting === "nothing" && passing === "") return;
    fail(levels.length === 0 && passing === "" ? "empty" : "truncated", 0);
  }

  return { write, end };
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDelimiter(byte: number): boolean {
  return byte === comma || byte === closeObject || byte === closeArray || isBlank(byte);
}
