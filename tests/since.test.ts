import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { assembleContext, type Context, context, contextQuery, remember } from "../src/index.ts";
import { folder } from "./workspace.ts";

/** Forty functions about the same subject: several answers' worth. */
const source = (file: number) =>
  Array.from({ length: 10 }, (_, i) => {
    const name = `invoice_${file}_${i}`;
    return `def ${name}(amount):\n    """Sends invoice ${file}${i} to the customer."""\n    total_${file}_${i} = amount * ${file} + ${i}\n    return total_${file}_${i}\n`;
  }).join("\n\n");

let root: string;
beforeEach(() => {
  root = folder(Object.fromEntries([1, 2, 3, 4].map((file) => [`billing/part${file}.py`, source(file)])));
});

const ask = (since: string | undefined, more: object = {}) =>
  context({ query: "how is an invoice sent to the customer", path: root, maxTokens: 600, minScore: 0, since, ...more });

/** The lines that tell something, of everything that was printed for items. */
function linesOf({ items }: Context): string[] {
  return items.flatMap(({ path, text }) =>
    text
      .split("\n")
      .filter((line) => /total_|def /.test(line))
      .map((line) => `${path} ${line.trim()}`),
  );
}

describe("asking again with the bundle of the last answer", () => {
  it("gives nothing twice, until there is nothing new", async () => {
    const given = new Set<string>();
    let since = "start";
    let answers = 0;
    for (; answers < 40; answers++) {
      const answer = await ask(since);
      expect(answer.tokens.used).toBeLessThanOrEqual(600);
      const lines = linesOf(answer);
      if (answers > 0 && answer.items.length === 0) break;
      for (const line of lines) expect(given).not.toContain(line);
      for (const line of lines) given.add(line);
      expect(answer.bundle).toMatch(/^bun-/);
      since = answer.bundle!;
    }
    expect(answers).toBeGreaterThan(2);
    expect([...given].filter((line) => line.includes("def "))).toHaveLength(40);
    const last = await ask(since);
    expect(last.warnings).toContain("Nothing new: all that is relevant was given before.");
    expect(last.bundle).toBe(since);
    expect(last.dropped.filter(({ reason }) => reason === "given").length).toBeGreaterThan(5);
  }, 60_000);

  it("says how much was given before, and counts it", async () => {
    const first = await ask("start");
    const second = await ask(first.bundle);
    const told = second.dropped.filter(({ reason }) => reason === "given");
    expect(told.length).toBeGreaterThan(0);
    expect(second.text).toContain(`${told.length} given before`);
    expect(new Set(told.map(({ id }) => id))).toEqual(
      new Set(first.items.filter(({ id }) => told.some((each) => each.id === id)).map(({ id }) => id)),
    );
  });

  it("gives again what was edited since", async () => {
    const first = await ask("start");
    const { path, name } = first.items.find(({ level }) => level === "full")!;
    const file = join(root, path);
    expect((await ask(first.bundle, { query: name })).items.map((item) => item.name)).not.toContain(name);
    const changed = readFileSync(file, "utf8").replace(
      `def ${name}(amount):\n`,
      `def ${name}(amount):\n    audit(amount)\n`,
    );
    writeFileSync(file, changed);
    const second = await ask(first.bundle, { query: name });
    expect(second.items.map((item) => item.name)).toContain(name);
    expect(second.text).toContain("audit(amount)");
  });

  it("is the same bytes for the same conversation", async () => {
    const [one, two] = [await ask("start"), await ask("start")];
    expect(two.bundle).toBe(one.bundle);
    expect((await ask(one.bundle)).text).toBe((await ask(two.bundle)).text);
  });

  it("answers in full, and says so, when the bundle is unknown or another owner's", async () => {
    const first = await ask("start");
    const other = await context(
      { query: "how is an invoice sent to the customer", path: root, maxTokens: 600, minScore: 0, since: first.bundle },
      { owner: "someone-else" },
    );
    const sentence = `The bundle ${first.bundle} is not known any more: all of it is given again.`;
    expect(other.warnings).toContain(sentence);
    expect(other.text).toBe(first.text);
    const unknown = await ask("bun-0");
    expect(unknown.warnings[0]).toContain("bun-0 is not known");
    expect(unknown.text).toBe(first.text);
    await expect(ask("yesterday")).rejects.toThrow(/bundle of an earlier answer/);
  });

  it("writes nothing down, and names no bundle, when nobody asks for it", async () => {
    expect(await ask(undefined)).not.toHaveProperty("bundle");
  });

  it("holds for the other context operations too, one after the other", async () => {
    await remember({ content: "Invoices are sent by the billing team on Mondays.", category: "fact", path: root });
    const query = "how is an invoice sent to the customer";
    const first = await assembleContext({ query, path: root, since: "start", maxTokens: 400 });
    expect(first.markdown).toContain("on Mondays");
    const second = await assembleContext({ query, path: root, since: first.bundle, maxTokens: 400 });
    expect(second.markdown).not.toContain("on Mondays");
    const third = await contextQuery({ query, path: root, since: second.bundle, maxTokens: 400, minScore: 0 });
    const before = new Set(
      [...first.items, ...second.items].filter(({ level }) => level === "full").map(({ id }) => id),
    );
    expect(third.sources.length).toBeGreaterThan(0);
    for (const { entityId } of third.sources) expect(before).not.toContain(entityId);
  });
});
