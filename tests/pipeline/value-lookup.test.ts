import { describe, expect, it } from "vitest";
import { context } from "../../src/index.ts";
import { folder } from "../workspace.ts";

const pool = {
  "src/settings.ts": `export class Settings {
  private keepaliveTime = 0;

  /** How often an idle connection is tested, in milliseconds. */
  getKeepaliveTime(): number {
    return this.keepaliveTime;
  }

  setKeepaliveTime(milliseconds: number): void {
    this.keepaliveTime = milliseconds;
  }
}
`,
  "src/pool.ts": `import { Settings } from "./settings.ts";

export function createEntry(settings: Settings): Entry {
  const entry = new Entry();
  const keepaliveTime = settings.getKeepaliveTime();
  if (keepaliveTime > 0) entry.testEvery(keepaliveTime);
  return entry;
}

export function sendMail(address: string): boolean {
  if (address === "") return false;
  return post(address);
}
`,
};

describe("a value that is asked for by name", () => {
  it("comes with its accessors and with what acts on it, and with nothing else", async () => {
    const { text } = await context({ query: "what does keepaliveTime do?", path: folder(pool) });
    expect(text).toContain("How often an idle connection is tested");
    expect(text).toContain("entry.testEvery(keepaliveTime)");
    expect(text).not.toContain("sendMail");
  });

  it("is told apart from a function, whose text says what it does", async () => {
    const { items } = await context({ query: "what does createEntry do?", path: folder(pool) });
    expect(items.map(({ name }) => name)).toEqual(["createEntry"]);
  });
});
