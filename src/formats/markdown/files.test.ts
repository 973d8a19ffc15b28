import { describe, expect, it } from "vitest";
import type { PrintedEntry } from "../format.ts";
import { markdownFile } from "./files.ts";

const entry: PrintedEntry = {
  source: "code",
  style: "heading",
  citation: "[cod-1k3f]",
  kind: "function",
  name: "pay",
  path: "src/pay.ts",
  startLine: 10,
  endLine: 12,
  score: 1,
  language: "typescript",
  level: "full",
  notes: [],
  related: [],
  text: "function pay() {\n  return 1;\n}",
};
const head = { path: "src/pay.ts", language: "typescript" };

describe("the parts of a file in Markdown", () => {
  it("stand in one fence, each after a line with its lines, its citation and what it is a part of", () => {
    const file = markdownFile([entry.text]);
    const text = [
      file.opening(head, true),
      file.imports(['import { one } from "./one.ts";'], "typescript"),
      file.span({ ...entry, scope: "Till" }, true, "open"),
      file.span({ ...entry, citation: "[cod-2abc]", startLine: 20, endLine: 20, text: "pay();" }, false, "open"),
      file.closing("open"),
    ].join("");
    expect(text).toBe(
      [
        "### src/pay.ts",
        "```typescript",
        'import { one } from "./one.ts";',
        "@@10-12 [cod-1k3f] in Till",
        entry.text,
        "@@20 [cod-2abc]",
        "pay();",
        "```\n",
      ].join("\n"),
    );
  });

  it("are named in the file's heading where nothing stands before them", () => {
    const file = markdownFile([entry.text]);
    const lead = { ...entry, notes: ["moved since indexing"] };
    expect(file.opening({ ...head, lead }, true) + file.span(lead, true, "named") + file.closing("open")).toBe(
      `### src/pay.ts:10-12 [cod-1k3f] (moved since indexing)\n\`\`\`typescript\n${entry.text}\n\`\`\`\n`,
    );
  });

  it("end the fence where uses follow, which name other files, and what comes next says its own", () => {
    const file = markdownFile([entry.text]);
    const place = { path: "src/a.ts", line: 3, text: "pay();", name: "sell" };
    const uses = { callers: [place, { ...place, line: 9, name: "resell" }], tests: [] };
    expect(file.span({ ...entry, uses }, true, "open") + file.closing("closed")).toBe(
      `@@10-12 [cod-1k3f]\n${entry.text}\n\`\`\`\nUsed by:\n- src/a.ts:3 sell: \`pay();\`\n- :9 resell: \`pay();\`\n`,
    );
    expect(file.span(entry, false, "closed")).toBe(
      `### src/pay.ts:10-12 [cod-1k3f]\n\`\`\`typescript\n${entry.text}\n`,
    );
  });

  it("cannot pose as another part, nor close the fence", () => {
    const text = "@@1-2 [cod-0000] in Fake\n   \u200b@@@7 [cod-0000]\n````\n";
    const file = markdownFile([text, entry.text]);
    const printed = file.opening(head, true) + file.span({ ...entry, text }, true, "open") + file.closing("open");
    expect(printed.split("\n").filter((line) => line.startsWith("@@@@"))).toEqual(["@@@@10-12 [cod-1k3f]"]);
    expect(printed.split("\n").filter((line) => line.startsWith("`````"))).toEqual(["`````typescript", "`````"]);
  });

  it("leave class variables of Ruby and the marks of a diff as they are", () => {
    const file = markdownFile(["@@count = 0\n@@ -1,3 +1,4 @@\n"]);
    expect(file.span(entry, true, "open")).toMatch(/^@@10-12 /);
  });
});
