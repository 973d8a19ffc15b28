import { hashTerm } from "../text/hash.ts";

/** A number decided by key and seed only, so that a draw does not depend on what else there is. */
export function lot(seed: number, key: string): number {
  return hashTerm(`${seed}\n${key}`);
}

/** Keeps the values with the lowest lots, in that order, using memory for twice `most`. */
export class Draw<Value> {
  readonly #most: number;
  readonly #seed: number;
  #drawn: { key: string; lot: number; value: Value }[] = [];
  #seen = 0;

  constructor(most: number, seed: number) {
    this.#most = most;
    this.#seed = seed;
  }

  add(key: string, value: Value): void {
    this.#seen++;
    this.#drawn.push({ key, lot: lot(this.#seed, key), value });
    if (this.#drawn.length >= this.#most * 2 + 16) this.#cut();
  }

  get seen(): number {
    return this.#seen;
  }

  values(): Value[] {
    this.#cut();
    return this.#drawn.map(({ value }) => value);
  }

  #cut(): void {
    this.#drawn.sort((a, b) => a.lot - b.lot || (a.key < b.key ? -1 : 1));
    this.#drawn = this.#drawn.slice(0, this.#most);
  }
}
