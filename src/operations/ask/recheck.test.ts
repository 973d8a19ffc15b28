import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashText } from "../../text/hash.ts";
import { fileReader } from "../../tree/read-file.ts";
import { readBundle } from "./bundle.ts";
import { recheck } from "./recheck.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "dossier-recheck-")));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function citing(lines: string[], startLine: number, endLine: number, path = "file.txt") {
  const hash = hashText(lines.slice(startLine - 1, endLine).join("\n"));
  return { id: "[cod-1]", itemId: "cod-1", name: "", path, startLine, endLine, hash };
}

function check(cited: ReturnType<typeof citing>, now: string[]) {
  writeFileSync(join(root, cited.path), now.map((line) => `${line}\n`).join(""));
  return recheck(cited, fileReader(root));
}

describe("a citation", () => {
  const lines = ["a", "b", "b", "c", "d"];

  it("is the same while its lines are where they were", async () => {
    expect(await check(citing(lines, 2, 4), lines)).toEqual({ verdict: "same" });
    expect(await check(citing(lines, 2, 4), ["x", ...lines.slice(1, 4), "y"])).toEqual({ verdict: "same" });
  });

  it("is found again wherever its lines moved in the file", async () => {
    const line = fc.stringMatching(/^[a-e ]{0,3}$/);
    const cited = citing(lines, 2, 4);
    const property = fc.asyncProperty(fc.array(line), fc.array(line), async (before, after) => {
      const now = [...before, ...lines.slice(1, 4), ...after];
      const { verdict, now: place } = await check(cited, now);
      const start = verdict === "same" ? cited.startLine : place!.startLine;
      expect(now.slice(start - 1, start + 2)).toEqual(["b", "b", "c"]);
    });
    await fc.assert(property, { numRuns: 50 });
  });

  it("is found nearest to where it was when there are two", async () => {
    const now = ["b", "b", "c", "x", "x", "x", "b", "b", "c"];
    expect(await check(citing(lines, 2, 4), now)).toMatchObject({
      verdict: "moved",
      now: { startLine: 1, endLine: 3 },
    });
  });

  it("is found at the start of a file that became much shorter", async () => {
    const long = [...Array.from({ length: 500 }, (_, i) => `line ${i}`), "kept"];
    expect(await check(citing(long, 501, 501), ["kept", "x"])).toMatchObject({
      verdict: "moved",
      now: { startLine: 1 },
    });
  });

  it("is changed when its lines are nowhere in the file, and gone with the file", async () => {
    expect(await check(citing(lines, 2, 4), ["a", "b", "c"])).toEqual({ verdict: "changed" });
    expect(await check(citing(lines, 2, 4), [])).toEqual({ verdict: "changed" });
    rmSync(join(root, "file.txt"));
    expect(await recheck(citing(lines, 2, 4), fileReader(root))).toEqual({ verdict: "gone" });
  });

  it("does not mind how lines end", async () => {
    writeFileSync(join(root, "file.txt"), lines.join("\r\n"));
    expect(await recheck(citing(lines, 2, 5), fileReader(root))).toEqual({ verdict: "same" });
  });

  it("does not follow a link out of the workspace", async () => {
    symlinkSync("/etc/passwd", join(root, "link"));
    await expect(recheck(citing(lines, 1, 1, "link"), fileReader(root))).rejects.toMatchObject({
      code: "outside-root",
    });
  });
});

describe("a bundle", () => {
  it("never yields a path outside the workspace, and fails only by name", () => {
    const part = fc.constantFrom("..", ".", "a", "", "\0", "C:", "/", "\\");
    const path = fc
      .array(part, { minLength: 1, maxLength: 5 })
      .chain((parts) => fc.constantFrom("/", "\\").map((separator) => parts.join(separator)));
    fc.assert(
      fc.property(path, (path) => {
        const bundle = { items: [{ citation: { id: "x", path, startLine: 1, endLine: 1, hash: "h" } }] };
        try {
          expect(readBundle(JSON.stringify(bundle))[0]!.path.split(/[\\/]/)).not.toContain("..");
        } catch (error) {
          expect(["outside-root", "bad-input"]).toContain((error as { code?: string }).code);
        }
      }),
    );
  });

  it("of any JSON is read or refused by name", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        try {
          readBundle(text);
        } catch (error) {
          expect((error as { code?: string }).code).toBe("bad-input");
        }
      }),
    );
  });
});
