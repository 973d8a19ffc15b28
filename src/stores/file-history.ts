import { type FileChange, fileChanges } from "./commits.ts";

/**
 * The history of one path, packed into a few bytes per change, so that it is one row to read. Layout: newest first,
 * each change as three variable-length numbers. The first is the signed difference of the commit's number to the
 * previous one. The second is how many milliseconds it is older (of the first change: its signed time). The third is 8
 * * other path + change.
 */

/** One commit's change of a path. */
export type PackedTouch = {
  /** The commit's number: of two at the same time, the larger is newer. */
  commit: number;
  /** Milliseconds. */
  time: number;
  /** `left`: the path was renamed to another. */
  change: FileChange | "left";
  /** Number of the path it was renamed from, or to; 0 for none. */
  other: number;
};

/** Stored as numbers: never change one, only add. */
const changes = [...fileChanges, "left"] as const;

type Place = { time: number; commit: number };

/** Newest first. */
export function byAge(a: Place, b: Place): number {
  return b.time - a.time || b.commit - a.commit;
}

export function packTouches(touches: PackedTouch[]): Uint8Array {
  return Uint8Array.from(packAfter(undefined, [...touches].sort(byAge)));
}

export function unpackTouches(packed: Uint8Array): PackedTouch[] {
  const touches: PackedTouch[] = [];
  for (const at = new Cursor(packed); at.next(); ) touches.push(at.touch());
  return touches;
}

/** The first result of `unpackTouches`. */
export function newestTouch(packed: Uint8Array): PackedTouch | undefined {
  const at = new Cursor(packed);
  return at.next() ? at.touch() : undefined;
}

/**
 * Equal to packing all of them. Adding touches that are older, or newer, than all existing ones copies the packed
 * bytes.
 */
export function addTouches(packed: Uint8Array, touches: PackedTouch[]): Uint8Array {
  if (packed.length === 0 || touches.length === 0) return packed.length === 0 ? packTouches(touches) : packed;
  const added = [...touches].sort(byAge);
  const at = new Cursor(packed);
  at.next();
  const newest = at.touch();
  if (byAge(added.at(-1)!, newest) < 0) {
    return concatenated(packAfter(undefined, [...added, newest]), packed.subarray(at.end));
  }
  while (at.next());
  if (byAge(added[0]!, at) > 0) return concatenated(packed, packAfter(at, added));
  return packTouches([...unpackTouches(packed), ...added]);
}

function concatenated(first: ArrayLike<number>, second: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function packAfter(before: Place | undefined, sorted: PackedTouch[]): number[] {
  const bytes: number[] = [];
  let last = before;
  for (const touch of sorted) {
    pushNumber(bytes, signed(touch.commit - (last?.commit ?? 0)));
    pushNumber(bytes, last ? last.time - touch.time : signed(touch.time));
    pushNumber(bytes, touch.other * 8 + changes.indexOf(touch.change));
    last = touch;
  }
  return bytes;
}

/** Walks over packed touches without allocating. */
class Cursor implements Place {
  commit = 0;
  time = 0;
  /** End of the current touch. */
  end = 0;
  readonly #bytes: Uint8Array;
  #code = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Advances to the next touch; false, without moving, when there is none. */
  next(): boolean {
    if (this.end >= this.#bytes.length) return false;
    const isFirst = this.end === 0;
    this.commit += unsigned(this.#number());
    this.time = isFirst ? unsigned(this.#number()) : this.time - this.#number();
    this.#code = this.#number();
    return true;
  }

  touch(): PackedTouch {
    const { commit, time } = this;
    return { commit, time, change: changes[this.#code % 8]!, other: Math.floor(this.#code / 8) };
  }

  #number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#bytes[this.end++] ?? 0;
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }
}

// Times do not fit into 32 bits, so this divides instead of shifting.
function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

function signed(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unsigned(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
