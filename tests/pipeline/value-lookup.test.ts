import { describe, expect, it } from "vitest";
import { context } from "../../src/index.ts";
import { folder } from "../workspace.ts";

const others = ["minimum", "maximum", "patience", "name", "driver", "schema", "prefix", "owner", "region", "label"];
const accessorsOf = (name: string, comment: string) => `
  /** ${comment} */
  get${name[0]!.toUpperCase()}${name.slice(1)}(): number {
    return this.${name};
  }

  set${name[0]!.toUpperCase()}${name.slice(1)}(value: number): void {
    this.${name} = value;
  }
`;

const pool = {
  "src/settings.ts": `export class Settings {
${[...others, "keepaliveTime"].map((name) => `  private ${name} = 0;`).join("\n")}
${others.map((name) => accessorsOf(name, "Another setting.")).join("")}${accessorsOf("keepaliveTime", "How often an idle connection is tested.")}}
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
