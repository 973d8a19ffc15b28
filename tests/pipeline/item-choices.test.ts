import { describe, expect, it } from "vitest";
import { context, putDocument, remember, search, why } from "../../src/index.ts";
import { apollo, idOf, notesWorkspace } from "../notes/notes-workspace.ts";
import { folder } from "../workspace.ts";

const files = {
  "src/payment.ts": Array.from(
    { length: 6 },
    (_, i) =>
      `/** Books payment ${i}. */\nexport function bookPayment${i}(amount: number) {\n${"  amount += 1;\n".repeat(20)}  return amount;\n}\n`,
  ).join("\n"),
  "src/weather.ts": "export function forecastRain(city: string) {\n  return city.length;\n}\n",
};

async function idCalled(path: string, query: string): Promise<string> {
  const { results } = await search({ path, query, limit: 1 });
  return results[0]!.id;
}

describe("items that are decided about by their ids", () => {
  it("are printed although the search does not find them", async () => {
    const path = folder(files);
    const rain = await idCalled(path, "forecastRain");
    const asked = { path, query: "bookPayment", maxTokens: 800 };
    expect((await context(asked)).items.map(({ id }) => id)).not.toContain(rain);
    const { items, tokens, text } = await context({ ...asked, pin: [rain] });
    expect(items.find(({ id }) => id === rain)).toMatchObject({ pinned: true, level: "full" });
    expect(text).toContain("forecastRain");
    expect(tokens.used).toBeLessThanOrEqual(800);
  });

  it("are known by the citation of an earlier answer, and why tells of them", async () => {
    const path = folder(files);
    const asked = { path, query: "how are payments booked?", maxTokens: 600 };
    const [first] = (await context(asked)).items;
    const without = await context({ ...asked, exclude: [first!.citation.id] });
    expect(without.items.map(({ id }) => id)).not.toContain(first!.id);
    expect(without.dropped).toContainEqual(expect.objectContaining({ id: first!.id, reason: "excluded" }));
    expect(await why({ ...asked, item: first!.id, exclude: [first!.id] })).toMatchObject({ outcome: "excluded" });
    const named = await context({ ...asked, level: [`${first!.citation.id}=pointer`] });
    expect(named.items.find(({ id }) => id === first!.id)?.level).toBe("pointer");
  });

  it("are warned of where they are not in the workspace, or are somebody else's", async () => {
    const path = folder(files);
    const { memory } = await remember({ path, content: "Payments are booked at night." }, { owner: "ada" });
    const id = memory!.id;
    const asked = { path, query: "bookPayment0", pin: [id, "cod-zzzzzzzzzzzzz"] };
    const { items, warnings } = await context(asked, { owner: "grace" });
    expect(items.map((item) => item.id)).not.toContain(id);
    expect(warnings).toEqual([
      `${id} is pinned, and is not in this workspace.`,
      "cod-zzzzzzzzzzzzz is pinned, and is not in this workspace.",
    ]);
    expect((await context(asked, { owner: "ada" })).items.map((item) => item.id)).toContain(id);
  });

  it("are refused where they are no ids", async () => {
    const path = folder(files);
    await expect(context({ path, query: "x", pin: ["../etc/passwd"] })).rejects.toMatchObject({ code: "bad-input" });
    await expect(context({ path, query: "x", level: ["cod-1k3f=whole"] })).rejects.toMatchObject({ code: "bad-input" });
  });

  it("hold in a walk through notes, however far away they are", async () => {
    const { root, workspace } = await notesWorkspace(apollo);
    const far = idOf("press");
    const asked = { path: root, query: "Apollo", recipe: "graph" as const, depth: 1, limit: 1, maxTokens: 1000 };
    expect((await context(asked, { workspace })).items.map(({ id }) => id)).not.toContain(far);
    const { items, tokens } = await context({ ...asked, pin: [far] }, { workspace });
    expect(items.map(({ id }) => id)).toContain(far);
    expect(tokens.used).toBeLessThanOrEqual(1000);
  });

  it("hold in the context of a chat", async () => {
    const path = folder({});
    for (const name of ["alpha", "beta", "gamma"]) {
      const content = `# ${name}\n\n${`The ${name} release is planned for spring. `.repeat(20)}\n`;
      await putDocument({ path, document: `${name}.md`, content });
    }
    const asked = { path, query: "alpha release", recipe: "chat" as const, maxTokens: 400 };
    const [found] = (await context(asked)).items;
    const { items, tokens } = await context({ ...asked, exclude: [found!.id] });
    expect(items.map(({ id }) => id)).not.toContain(found!.id);
    expect(tokens.used).toBeLessThanOrEqual(400);
  });
});
