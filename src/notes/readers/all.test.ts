import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { originKinds } from "../../note.ts";
import { kindWords, readerFor, readers, recognisedFiles } from "./all.ts";

const files = {
  "export.json":
    '{"formatVersion":1,"docs":[{"id":"a00000000001","props":{"name":"A","created":1},"children":[]}],"editors":[]}',
  "tif.json":
    '{"version":"TanaIntermediateFile V0.1","summary":{},"nodes":[{"uid":"a","name":"A","createdAt":1,"editedAt":1,"type":"node"}]}',
  "vault/A.md": "# A\n",
  "other.json": '{"name":"package"}',
};

describe("the reader for a place", () => {
  it("is one for each kind, and each has a word for it", () => {
    expect(readers.map(({ kind }) => kind).sort()).toEqual([...originKinds].sort());
    expect(Object.keys(kindWords).sort()).toEqual([...originKinds].sort());
  });

  it.each([
    ["export.json", "tana-export"],
    ["tif.json", "tana-intermediate"],
    ["vault", "vault"],
  ])("%s is found by looking inside", async (name, kind) => {
    const place = join(folder(files), name);
    const reader = await readerFor(place);
    expect(reader.kind).toBe(kind);
    const sheets = (await reader.list(place)).map((sheet) => sheet.name);
    const names: string[] = [];
    for await (const { notes } of reader.read(place, sheets, { warn: () => undefined })) {
      for (const note of notes) names.push(note.name);
    }
    expect(names).toContain("A");
  });

  it("is the one of the kind where that is known", async () => {
    expect((await readerFor(join(folder(files), "other.json"), "supertag")).kind).toBe("supertag");
  });

  it("is none for what is missing or unknown", async () => {
    const place = folder(files);
    await expect(readerFor(join(place, "nowhere"))).rejects.toMatchObject({ code: "not-found" });
    await expect(readerFor(join(place, "nowhere"), "vault")).rejects.toMatchObject({ code: "not-found" });
    await expect(readerFor(join(place, "other.json"))).rejects.toMatchObject({ code: "bad-input" });
    mkdirSync(join(place, "empty"));
    await expect(readerFor(join(place, "empty"))).rejects.toMatchObject({ code: "bad-input" });
  });

  it("is known of the files in a folder", async () => {
    expect(await recognisedFiles(folder(files))).toEqual([
      { name: "export.json", kind: "tana-export" },
      { name: "tif.json", kind: "tana-intermediate" },
    ]);
  });
});
