import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "./config.ts";
import { removeWeights, writeWeights } from "./section-write.ts";

function workspace(config?: string): { root: string; file: string } {
  const root = mkdtempSync(join(tmpdir(), "dossier-weights-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const file = join(root, "dossier.json");
  if (config !== undefined) writeFileSync(file, config);
  return { root, file };
}

const weights = { from: "a measurement", files: { path: 2 }, items: { similar: 0.5 } };

describe("weights in dossier.json", () => {
  it("are written, read, replaced and taken out", async () => {
    const { root, file } = workspace();
    writeWeights(root, weights);
    expect((await readConfig(root)).weights).toEqual(weights);
    writeWeights(root, { files: { text: 0 } });
    expect((await readConfig(root)).weights).toEqual({ files: { text: 0 } });
    expect(removeWeights(root)).toEqual({ files: { text: 0 } });
    expect((await readConfig(root)).weights).toBeUndefined();
    expect(removeWeights(root)).toBeUndefined();
    expect(existsSync(file)).toBe(true);
  });

  it("leave everything else as its user wrote it", () => {
    const config = '{\n  // my lenses\n  "lenses": { "review": { "extends": "planning" } }\n}\n';
    const { root, file } = workspace(config);
    writeWeights(root, weights);
    const written = readFileSync(file, "utf8");
    expect(written).toContain("// my lenses");
    expect(written).toContain('"path": 2');
    removeWeights(root);
    const text = readFileSync(file, "utf8");
    expect(text).toContain("// my lenses");
    expect(text).not.toContain("weights");
  });

  it("do not touch a file without any", () => {
    const { root, file } = workspace();
    expect(removeWeights(root)).toBeUndefined();
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ['{"weights": {"files": {"pth": 2}}}', /weights\.files has no key "pth"\. Did you mean path\?/],
    ['{"weights": {"items": {"text": -1}}}', /weights\.items\.text takes a number from 0 to 4, not -1/],
    ['{"weights": {"items": {"text": "2"}}}', /takes a number from 0 to 4/],
    ['{"weights": []}', /weights takes an object with from, files, items/],
  ])("are refused in %s", async (config, sentence) => {
    const { root } = workspace(config);
    await expect(readConfig(root)).rejects.toThrow(sentence);
  });
});
