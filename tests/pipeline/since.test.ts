import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { assembleContext, type Context, context, contextQuery, remember } from "../../src/index.ts";
import { folder } from "../workspace.ts";

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
  it("gets one line for the same question: nothing ranks higher for having been given", async () => {
    const first = await ask("start");
    expect(first.items.length).toBeGreaterThan(2);
    expect(first.bundle).toMatch(/^bun-/);
    const again = await ask(first.bundle);
    expect(again.items).toEqual([]);
    expect(again.warnings).toContain("Nothing new: all that is relevant was given before.");
    expect(again.tokens.used).toBeLessThan(30);
    expect(again.bundle).toBe(first.bundle);
    const alreadySent = again.dropped.filter(({ reason }) => reason === "given").map(({ id }) => id);
    expect(new Set(alreadySent)).toEqual(new Set(first.items.map(({ id }) => id)));
  });

  it("gives nothing twice to other questions, and says how much was given before", async () => {
    const first = await ask("start");
    const second = await ask(first.bundle, { query: "how is an invoice sent, and what is the total of invoice_4_3?" });
    const sentLines = new Set(linesOf(first));
    const lines = linesOf(second);
    expect(lines.length).toBeGreaterThan(0);
    for (const { id } of second.items)
      expect(first.items.filter(({ level }) => level === "full").map((item) => item.id)).not.toContain(id);
    expect(lines.some((line) => !sentLines.has(line))).toBe(true);
    const alreadySent = second.dropped.filter(({ reason }) => reason === "given");
    if (alreadySent.length > 0) expect(second.text).toContain(`${alreadySent.length} given before`);
  });

  it("gives whole what was only shown in part before, when it is asked for", async () => {
    const long = [
      "def settle(amount):",
      ...Array.from({ length: 120 }, (_, i) => `    total_${i} = amount + ${i}`),
    ].join("\n");
    writeFileSync(join(root, "billing/settle.py"), `${long}\n`);
    const first = await ask("start", { query: "settle the amount of an invoice", maxTokens: 500 });
    expect(first.items.find(({ name }) => name === "settle")).toMatchObject({ level: "elided" });
    const second = await ask(first.bundle, { query: "settle", maxTokens: 4000 });
    expect(second.items[0]).toMatchObject({ name: "settle", level: "full" });
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
