import { describe, expect, it } from "vitest";
import type { Commit } from "../../stores/commits.ts";
import { firstDay, type History, Repository } from "./history.cases.ts";
import { HistoryWriter } from "./writer.ts";

const name = (number: number) => number.toString(16).padStart(40, "0");

function commit(number: number): Commit {
  return {
    sha: name(number),
    author: "Test",
    email: "test@example.org",
    time: (firstDay + number) * 1000,
    message: `Commit number${number}`,
    files: [{ path: "a.ts", change: "modified" }],
  };
}

const writerOf = ({ workspace: { store, owner } }: History) => new HistoryWriter({ store, owner, patience: 1000 });

async function write(history: History, numbers: number[]): Promise<void> {
  const writer = writerOf(history);
  await writer.joinPage(numbers.length);
  for (const number of numbers) await writer.add(commit(number));
  await writer.flush();
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => to - 1 - i);
const pages = async ({ workspace: { store, owner } }: History) =>
  (await store.shelf("commit").files(owner)).map(({ items }) => items).sort((a, b) => b - a);

describe("writing commits", () => {
  it("fills up a page before it begins another, however many come at a time", async () => {
    const history = await Repository.empty().open();
    for (let i = 0; i < 12; i++) await write(history, [i]);
    expect(await pages(history)).toEqual([12]);
    await write(history, range(12, 500));
    expect(await pages(history)).toEqual([200, 200, 88, 12]);
    await write(history, [500]);
    expect(await pages(history)).toEqual([200, 200, 88, 13]);
    await history.expectExactly(range(0, 501).map(name));
  });

  it("leaves what stands beside a commit that goes", async () => {
    const history = await Repository.empty().open();
    await write(history, range(0, 500));
    const writer = writerOf(history);
    await writer.remove([name(3), name(250), name(999)]);
    await writer.add(commit(500));
    await writer.flush();
    const left = range(0, 501).filter((number) => number !== 3 && number !== 250);
    await history.expectExactly(left.map(name));
    expect(await history.found("number250")).toEqual([]);
    expect(await history.found("number251")).toEqual([name(251)]);
    const all = writerOf(history);
    await all.remove(left.map(name));
    await all.flush();
    await history.expectExactly([]);
    expect(await pages(history)).toEqual([]);
  });

  it("of two writers that know the same leaves each commit once, whatever each of them saw", async () => {
    for (const [mine, yours] of [
      [[10], [10]],
      [[10], [11, 10]],
      [[11, 10], [10]],
      [[10], [11]],
    ]) {
      const history = await Repository.empty().open();
      await write(history, range(0, 10));
      const [one, two] = [writerOf(history), writerOf(history)];
      for (const [writer, numbers] of [
        [one, mine!],
        [two, yours!],
      ] as const) {
        await writer.joinPage(numbers.length);
        for (const number of numbers) await writer.add(commit(number));
      }
      await one.flush();
      await two.flush();
      await history.expectExactly([...new Set([...range(0, 10), ...mine!, ...yours!])].map(name));
    }
  });

  it("of two writers of which one removes what the other keeps, keeps or removes it everywhere", async () => {
    const history = await Repository.empty().open();
    await write(history, range(0, 10));
    const [one, two] = [writerOf(history), writerOf(history)];
    await one.joinPage(1);
    await one.add(commit(10));
    await two.remove([name(9)]);
    await two.flush();
    await one.flush();
    await history.expectExactly(await history.shas());
  });
});
