import { describe, expect, it } from "vitest";
import type { StoredMessage } from "../../stores/library.ts";
import { entryBytes } from "../../text/analysis/terms.ts";
import { describePages, messagePlace, pageOf, pageSize, pagesTouchedBy, placeOf } from "./message-items.ts";
import { reach } from "./neighbour-terms.ts";

function message(number: number, text: string, more: Partial<StoredMessage> = {}): StoredMessage {
  return {
    id: `msg-${number}`,
    thread: "thr-1",
    number,
    role: "user",
    blocks: [{ type: "text", text }],
    at: number * 1000,
    ...more,
  };
}

describe("pages of messages", () => {
  it("hold a message each once, and a change touches those within reach", () => {
    for (const number of [1, 4, pageSize - 1, pageSize, pageSize + 1, pageSize + reach, pageSize + reach + 1, 1000]) {
      const near = [number, Math.max(1, number - reach), number + reach].map(pageOf);
      expect(pagesTouchedBy(number)).toEqual([...new Set(near)].sort((a, b) => a - b));
    }
    const all = Array.from({ length: 3 * pageSize }, (_, i) => message(i + 1, `word${i}`));
    const pages = describePages("thr-1", { first: 0, last: 2 }, all);
    expect(pages.map(({ path }) => path)).toEqual([0, 1, 2].map((page) => placeOf("thr-1", page)));
    expect(pages.flatMap(({ items }) => items.map(({ item }) => item.id))).toEqual(all.map(({ id }) => id));
    expect(describePages("thr-1", { first: 1, last: 1 }, all).map(({ path }) => path)).toEqual([placeOf("thr-1", 1)]);
    expect(describePages("thr-1", { first: 7, last: 9 }, [])).toEqual([]);
  });

  it("tell whose and from where a message is without its text", () => {
    const said = [
      message(1, "a", { speaker: "Ann\n Lind" }),
      message(2, "b", { session: "day 1\nlate" }),
      message(3, "c", { role: "tool", session: "" }),
    ];
    const places = describePages("thr-1", { first: 0, last: 0 }, said)[0]!.items.map(({ item }) => messagePlace(item));
    expect(places).toEqual([
      { thread: "thr-1", number: 1, speaker: "Ann Lind" },
      { thread: "thr-1", number: 2, speaker: "user", session: "day 1\nlate" },
      { thread: "thr-1", number: 3, speaker: "tool", session: "" },
    ]);
  });

  it("take texts of any size: a long one lends its neighbours little, and a huge one is not searched to its end", () => {
    const long = Array.from({ length: 5000 }, (_, i) => `word${i}x`).join(" ");
    const [page] = describePages("thr-1", { first: 0, last: 0 }, [
      message(1, "short"),
      message(2, long.repeat(20)),
      message(3, "short"),
      message(4, ""),
      message(5, "", { blocks: [] }),
    ]);
    const sizes = page!.items.map(({ file }) => file!.terms.length / entryBytes);
    expect(sizes[2]).toBeLessThan(300);
    expect(sizes[1]).toBeLessThan(20_000);
    expect(sizes[1]).toBeGreaterThan(2000);
  });

  it("are described alike, whatever else is described with them", () => {
    const all = Array.from({ length: 4 * pageSize }, (_, i) => message(i + 1, `say ${i % 7} and ${i % 5}?`));
    const whole = describePages("thr-1", { first: 0, last: 3 }, all);
    const from = pageSize - reach;
    const part = describePages("thr-1", { first: 1, last: 1 }, all.slice(from, 2 * pageSize + reach));
    expect(part[0]).toEqual(whole[1]);
  });
});
