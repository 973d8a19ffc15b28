import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenCounter } from "../../text/tokens/tokens.ts";
import { folder, write } from "../../tree/folder.cases.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { call } from "../core/call.ts";
import { remember } from "../memory/remember.ts";
import { open } from "./open.ts";

const ledger = `/** Books an amount in cents. */
export function bookAmount(amount: number): number {
  return Math.round(amount * 100);
}

export class Cart {
  total(): number {
    return bookAmount(2);
  }
}
`;

let root: string;
let workspace: Workspace;
beforeAll(async () => {
  root = folder({
    "src/ledger.ts": ledger,
    "src/close.ts": `import { bookAmount } from "./ledger";\n\nexport function close(): boolean {\n  return bookAmount(1) > 2;\n}\n`,
    "src/ledger.test.ts": `import { bookAmount } from "./ledger";\n\ntest("books", () => {\n  expect(bookAmount(1)).toBe(100);\n});\n`,
    "src/long.ts": `export function long() {\n${Array.from({ length: 400 }, (_, at) => `  step(${at});`).join("\n")}\n}\n`,
    "app/start.js": `#!/usr/bin/env node\n\nif (process.env.MODE === "production" && process.argv.length > 2) {\n  announce(process.argv[2]);\n  announce(process.argv[3]);\n}\n\nexport const limit = 3;\n\nexport class Shop {\n  open() {\n    return limit;\n  }\n}\n\n// Until it is there.\nwhile (process.title === undefined) {\n  if (process.uptime > 1000 + limit) break;\n  if (process.exitCode === limit) break;\n}\n`,
    "app/settings.py": `import os\n\nDEBUG = True\nif DEBUG:\n    HOSTS = ["all", "of", "them"]\n    NAME = HOSTS[0]\n    OTHER = NAME\n`,
    "lamps/lamps.ts": "export class Tap {\n  turnOff(): void {}\n}\n\nexport class Lamp {\n  turnOff(): void {}\n}\n",
    "lamps/night.ts":
      'export function night(all: Switch[]): void {\n  // turnOff()\n  for (const each of all) each.turnOff();\n  log("turnOff()");\n}\n',
    ".npmrc": "//registry/:_authToken=abcdefgh\n",
    "README.md": "# Ledger\n\nBooks amounts.\n",
  });
  workspace = await openWorkspace(root);
});
afterAll(() => workspace.close());

type Given = Parameters<typeof open.run>[0] extends infer Input ? Partial<Input> : never;
const ask = async (targets: string[], options: Given = {}) =>
  (await call(open, { targets, path: root, ...options }, { workspace })).output;

describe("open", () => {
  it("opens several at once, by id, by lines and by name, as they are on disk", async () => {
    const { opened } = await ask(["bookAmount"]);
    const { text } = await ask([`[${opened[0]!.id!.slice(0, 9)}]`, "src/close.ts:3-4", "Cart.total"]);
    expect(text).toContain("### src/ledger.ts\n1-4 [cod-");
    expect(text).toContain(
      "### src/close.ts\n3-4\n```typescript\nexport function close(): boolean {\n  return bookAmount(1) > 2;\n```",
    );
    expect(text).toMatch(/7-9 \[cod-\w+\] method total/);
    writeFileSync(join(root, "src/close.ts"), "export const closed = 1;\n");
    expect((await ask(["src/close.ts:1"])).text).toContain("closed = 1");
    write(root, {
      "src/close.ts": `import { bookAmount } from "./ledger";\n\nexport function close(): boolean {\n  return bookAmount(1) > 2;\n}\n`,
    });
  });

  it("opens what was written down, by its id", async () => {
    const { output } = await call(remember, { content: "Amounts are in cents.", path: root }, { workspace });
    expect((await ask([output.memory!.id])).text).toContain("Amounts are in cents.");
  });

  it("tells who calls a unit and who refers to it, a line of each", async () => {
    const { text } = await ask(["bookAmount"], { show: "callers" });
    expect(text).toContain("called by:\n- `src/close.ts:4 close: return bookAmount(1) > 2;`");
    expect(text).toContain("src/ledger.ts:8 total");
    expect(text).toMatch(/tested by:\n- `src\/ledger\.test\.ts:4/);
    expect((await ask(["src/ledger.ts:3"], { show: "references" })).text).toContain("src/close.ts:4");
    expect((await ask(["src/ledger.ts"], { show: "references" })).text).toContain("imported by:\n- `src/close.ts`");
    expect((await ask(["close"], { show: "callers" })).text).toContain("nothing is known that calls it");
  });

  it("names the places that may call a unit, where nothing tells what they mean", async () => {
    const { text } = await ask(["Tap.turnOff"], { show: "callers" });
    expect(text).toContain(
      "nothing is known for certain that calls it; 1 place writes the name as a call: lamps/night.ts:3",
    );
  });

  it("tells the outline of a file and of a folder", async () => {
    const { text } = await ask(["src/ledger.ts"], { show: "outline" });
    expect(text).toMatch(/- `\s*1-4 function export function bookAmount/);
    expect(text).toMatch(/7-9 method/);
    expect((await ask(["src/"])).text).toContain("ledger.ts: bookAmount, Cart");
    expect((await ask(["."], { show: "outline" })).text).toContain("src/ (4 files)");
  });

  it("lists what a file defines, and no words of its statements; what is inside another is indented", async () => {
    const folderText = (await ask(["app/"], { show: "outline" })).text;
    expect(folderText).toContain("- `settings.py: DEBUG, HOSTS, NAME, OTHER`\n");
    expect(folderText).toContain("- `start.js: limit, Shop`\n");
    const { text } = await ask(["app/start.js"], { show: "outline" });
    expect(text).toContain('- `1-6 block if (process.env.MODE === "production" && process.argv.length > 2) {`\n');
    expect(text).toMatch(/block while \(process\.title === undefined\) \{`\n/);
    expect(text).toMatch(/\n- `10-14 class export class Shop`\n {2}- `11-13 method open\(\)`\n/);
  });

  it("advises what helps: more tokens may not be had", async () => {
    const { text } = await ask(["src/long.ts", "bookAmount"], { maxTokens: 100 });
    expect(text).toContain("1 more did not fit: open it in another call.");
    expect(text).not.toContain("max_tokens");
  });

  it("numbers lines when asked, and gives JSON that parses", async () => {
    expect((await ask(["src/ledger.ts:2-3"], { lineNumbers: true })).text).toContain("3   return Math.round");
    const { text } = await ask(["Cart"], { format: "json" });
    expect(JSON.parse(text)).toMatchObject({ items: [{ path: "src/ledger.ts", start: 6, end: 10, name: "Cart" }] });
  });

  it("stays within its budget, and says where the rest is", async () => {
    const { count } = tokenCounter("o200k_base");
    for (const maxTokens of [64, 100, 300, 900]) {
      const { text, tokens, opened } = await ask(["src/long.ts", "bookAmount"], { maxTokens });
      expect(tokens).toBe(count(text));
      expect(tokens).toBeLessThanOrEqual(maxTokens);
      expect(text).toContain(`the rest is src/long.ts:${opened[0]!.shown + 1}-402`);
      expect(text).toContain("1 more did not fit");
    }
  });

  it("goes on past what is not there, and says so", async () => {
    const { warnings, opened } = await ask(["bookAmout", "README.md:1"]);
    expect(opened).toHaveLength(1);
    expect(warnings[0]).toMatch(/no "bookAmout" here: .*Did you mean bookAmount\?/);
    await expect(ask(["nothing at all"])).rejects.toMatchObject({ code: "not-found" });
    await expect(ask(["src/ledger.ts:900"])).rejects.toThrow("has 10 lines");
  });

  it("says of a file that is there but not indexed why it is not", async () => {
    write(root, { "huge.txt": `${"words of a log\n".repeat(100_000)}` });
    await expect(ask(["huge.txt"])).rejects.toThrow(
      '"huge.txt" is here, but is not indexed: larger than the size limit.',
    );
    await expect(ask(["huge.txt:3-4"])).rejects.toThrow("larger than the size limit");
    rmSync(join(root, "huge.txt"));
  });

  it("opens nothing outside, ignored or secret", async () => {
    for (const target of ["../../../etc/passwd", "/etc/passwd", ".npmrc", ".git/config", ".dossier/index.db"]) {
      await expect(ask([target]), target).rejects.toMatchObject({ code: "not-found" });
    }
    rmSync(join(root, ".npmrc"));
  });
});
