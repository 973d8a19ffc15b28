import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { DossierError } from "../../errors.ts";
import { builtInLenses } from "../../recipes/lenses.ts";
import { configName, lensesOf, lensNamed, originsOf, readConfig, resolvePlace } from "./config.ts";
import { addOrigin, removeOrigin } from "./config-write.ts";

const rootWith = (config: unknown) =>
  folder({ [configName]: typeof config === "string" ? config : JSON.stringify(config, null, 2) });

async function fault(config: unknown): Promise<string> {
  const root = rootWith(config);
  try {
    await readConfig(root);
  } catch (error) {
    expect(error).toBeInstanceOf(DossierError);
    expect((error as DossierError).code).toBe("bad-config");
    const { message } = error as DossierError;
    expect(message.startsWith(join(root, configName))).toBe(true);
    return message.slice(join(root, configName).length);
  }
  return "none";
}

const vault = { name: "work", from: "notes" };

describe("the config file", () => {
  it("may be missing", async () => {
    expect(await readConfig(folder({}))).toEqual({ notes: [], lenses: [] });
  });

  it("names origins and lenses", async () => {
    const live = { url: "http://127.0.0.1:8262", tokenVariable: "TANA_API_TOKEN", workspace: "main" };
    const root = rootWith({
      notes: [vault, { name: "Tana 2", from: "~/x.json", kind: "tana-export", live }, { name: "now", live }],
      lenses: { review: { extends: "planning", boostTags: ["#decision", "risk"], maxDepth: 1 } },
    });
    const { notes, lenses } = await readConfig(root);
    expect(notes).toEqual([
      vault,
      { name: "Tana 2", from: "~/x.json", kind: "tana-export", live },
      { name: "now", live },
    ]);
    const planning = builtInLenses.find(({ name }) => name === "planning")!;
    expect(lenses).toEqual([
      { ...planning, name: "review", extends: "planning", boostTags: ["decision", "risk"], maxDepth: 1 },
    ]);
  });

  it("may have comments, a byte order mark and a schema for editors", async () => {
    const root = rootWith('\ufeff{\n // mine\n "$schema": "x", "notes": [ /* none yet */ ],\n}\n');
    expect(await readConfig(root)).toEqual({ notes: [], lenses: [] });
  });

  it.each<[string, unknown, RegExp]>([
    ["broken JSON", '{\n  "notes": [\n    { "name": }\n', /^, line 3, column 15: it lacks a value\.$/],
    ["cut short", '{ "notes": [', /^, line 1, column 13: it ends where a value should be\.$/],
    ["empty", "", /^, line 1, column 1: it is empty\.$/],
    ["a list", [], /^, line 1: it takes an object with \$schema, notes, lenses, weights, model, engine, not \[\]\.$/],
    ["an unknown key", { note: [] }, /^, line 2: it has no key "note"\. Did you mean notes\?$/],
    [
      "a key like no other",
      { notes: [{ ...vault, zzz: 1 }] },
      /notes\[0\] has no key "zzz"\. It takes name, from, kind, live\.$/,
    ],
    [
      "a misspelt key",
      { notes: [{ name: "a", form: "x" }] },
      /^, line 5: notes\[0\] has no key "form"\. Did you mean from\?$/,
    ],
    ["notes that are no list", { notes: {} }, /: notes takes a list of origins, not \{\}\.$/],
    ["no name", { notes: [{ from: "x" }] }, /: notes\[0\]\.name is missing; it takes a name of up to 64 /],
    [
      "a name that is none",
      { notes: [{ name: "../x", from: "x" }] },
      /notes\[0\]\.name takes a name .*, not "\.\.\/x"\.$/,
    ],
    ["a long name", { notes: [{ name: "x".repeat(100), from: "x" }] }, /notes\[0\]\.name takes .*, not "x{59}…\.$/],
    ["no place", { notes: [{ name: "a" }] }, /notes\[0\] needs from, live or both\.$/],
    ["a NUL", { notes: [{ name: "a", from: "a\0b" }] }, /notes\[0\]\.from takes the path of a file or folder/],
    [
      "an unknown kind",
      { notes: [{ ...vault, kind: "roam" }] },
      /kind takes one of tana-export, tana-intermediate, supertag, vault, not "roam"/,
    ],
    [
      "the same name twice",
      { notes: [vault, { ...vault, name: "Work" }] },
      /notes\[1\]\.name is "Work", as in notes\[0\]\.$/,
    ],
    [
      "another machine",
      { notes: [{ name: "a", live: { url: "http://evil.example", tokenVariable: "T" } }] },
      /live\.url takes an address on this machine/,
    ],
    [
      "a machine in disguise",
      { notes: [{ name: "a", live: { url: "http://127.0.0.1@evil.example", tokenVariable: "T" } }] },
      /on this machine/,
    ],
    [
      "localhost of another",
      { notes: [{ name: "a", live: { url: "http://localhost.evil.example", tokenVariable: "T" } }] },
      /on this machine/,
    ],
    [
      "a file address",
      { notes: [{ name: "a", live: { url: "file:///etc/passwd", tokenVariable: "T" } }] },
      /on this machine/,
    ],
    [
      "a token",
      { notes: [{ name: "a", live: { url: "http://localhost:1", tokenVariable: "ey.J-" } }] },
      /name of the environment variable/,
    ],
    ["no token", { notes: [{ name: "a", live: { url: "http://localhost:1" } }] }, /live\.tokenVariable is missing/],
    ["lenses as a list", { lenses: [] }, /lenses takes an object with a lens for each name/],
    [
      "a lens with a built-in name",
      { lenses: { coding: {} } },
      /lenses\.coding has the name of a built-in lens; .*"extends": "coding"/,
    ],
    ["a lens with a strange name", { lenses: { "My Lens": {} } }, /lenses\["My Lens"\] is no name for a lens/],
    ["a lens called __proto__", '{"lenses": {"__proto__": {}}}', /lenses\.__proto__ is no name for a lens/],
    ["a lens of nothing", { lenses: { a: null } }, /lenses\.a takes an object with extends, priorityTypes/],
    ["depth 0", { lenses: { a: { maxDepth: 0 } } }, /lenses\.a\.maxDepth takes a whole number from 1 to 5, not 0\.$/],
    ["depth 6", { lenses: { a: { maxDepth: 6 } } }, /from 1 to 5, not 6/],
    ["half a step", { lenses: { a: { maxDepth: 1.5 } } }, /a whole number from 1 to 5, not 1\.5/],
    ["depth as text", { lenses: { a: { maxDepth: "2" } } }, /from 1 to 5, not "2"/],
    [
      "no relation",
      { lenses: { a: { priorityTypes: [] } } },
      /takes one or more of child, parent, reference, field, not \[\]/,
    ],
    [
      "an unknown relation",
      { lenses: { a: { priorityTypes: ["child", "sibling"] } } },
      /priorityTypes\[1\] takes .*, not "sibling"/,
    ],
    ["an empty tag", { lenses: { a: { boostTags: [" "] } } }, /boostTags\[0\] takes a list of up to 100 names of tags/],
    [
      "too many tags",
      { lenses: { a: { boostTags: Array.from({ length: 101 }, () => "t") } } },
      /up to 100 names of tags/,
    ],
    [
      "an unknown lens below",
      { lenses: { a: { extends: "plannning" } } },
      /extends is "plannning", which is no lens; there are general, .*, a\. Did you mean planning\?$/,
    ],
    [
      "a circle",
      { lenses: { a: { extends: "b" }, b: { extends: "c" }, c: { extends: "b" } } },
      /lenses\.b\.extends leads back to itself: b extends c extends b\.$/,
    ],
    ["a lens of itself", { lenses: { a: { extends: "a" } } }, /leads back to itself: a extends a/],
  ])("with %s is refused by the place", async (_what, config, pattern) => {
    expect(await fault(config)).toMatch(pattern);
  });

  it("is refused when it is a folder, too large or not UTF-8", async () => {
    const root = folder({});
    mkdirSync(join(root, configName));
    await expect(readConfig(root)).rejects.toThrow(/is not a file/);
    await expect(readConfig(rootWith(`${" ".repeat(1_000_001)}{}`))).rejects.toThrow(
      /1000003 bytes large; at most 1000000/,
    );
    const foreign = folder({});
    writeFileSync(join(foreign, configName), Buffer.from([0x7b, 0xff, 0x7d]));
    await expect(readConfig(foreign)).rejects.toThrow(/not a text in UTF-8/);
  });

  it.skipIf(process.getuid?.() === 0)("says so when it may not be read", async () => {
    const root = rootWith({});
    chmodSync(join(root, configName), 0);
    await expect(readConfig(root)).rejects.toMatchObject({ code: "not-readable" });
  });

  it("is read again only when it changed", async () => {
    const root = rootWith({ notes: [vault] });
    const first = await readConfig(root);
    expect(await readConfig(root)).toBe(first);
    writeFileSync(join(root, configName), JSON.stringify({ notes: [{ ...vault, name: "home" }] }, null, 2));
    utimesSync(join(root, configName), 1, 1);
    expect((await readConfig(root)).notes[0]!.name).toBe("home");
  });

  it("survives ten thousand lenses in a chain", async () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `l${i}`);
    const lenses = Object.fromEntries(
      names.map((name, i) => [name, i === 0 ? { maxDepth: 5 } : { extends: names[i - 1] }]),
    );
    expect((await readConfig(rootWith(JSON.stringify({ lenses })))).lenses.at(-1)).toMatchObject({
      name: "l9999",
      maxDepth: 5,
    });
  });

  it("never fails otherwise than by saying what is wrong", async () => {
    const root = rootWith({});
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        writeFileSync(join(root, configName), text);
        await readConfig(root).catch((error: unknown) => expect(error).toMatchObject({ code: "bad-config" }));
      }),
      { numRuns: 200 },
    );
  });
});

describe("a lens", () => {
  it("without another one below it changes the general one", async () => {
    const config = await readConfig(rootWith({ lenses: { mine: { includeFields: ["Due"] } } }));
    expect(lensNamed(config, "mine")).toEqual({
      ...builtInLenses[0],
      name: "mine",
      extends: "general",
      includeFields: ["Due"],
    });
  });

  it("takes from a custom one what it does not say itself, whatever the order", async () => {
    const lenses = { b: { extends: "a", maxDepth: 1 }, a: { extends: "coding", boostTags: [] } };
    const coding = builtInLenses.find(({ name }) => name === "coding")!;
    const config = await readConfig(rootWith({ lenses }));
    expect(lensNamed(config, "b")).toMatchObject({ ...coding, name: "b", boostTags: [], maxDepth: 1 });
  });

  it("is found by its name in any case; an unknown one is the closest to one that exists", async () => {
    const config = await readConfig(rootWith({ lenses: { review: {} } }));
    expect(lensNamed(config, " Meeting-Prep ").name).toBe("meeting-prep");
    expect(lensesOf(config).map(({ name }) => name)).toEqual([...builtInLenses.map(({ name }) => name), "review"]);
    expect(() => lensNamed(config, "reveiw")).toThrow(
      'There is no lens "reveiw"; there are general, writing, coding, planning, meeting-prep, review. Did you mean review?',
    );
    expect(() => lensNamed(config, "x")).toThrow(expect.objectContaining({ code: "unknown-lens" }));
  });
});

describe("origins", () => {
  it.each([
    ["Obsidian", { ".obsidian/app.json": "{}" }],
    ["Logseq", { "logseq/config.edn": "{}" }],
    ["Logseq without settings", { "logseq/custom.css": "", "journals/2024_01_01.md": "- x" }],
  ])("are the root itself where it is a vault of %s", async (_what, files) => {
    const root = folder(files);
    expect(await originsOf(root, await readConfig(root))).toEqual([{ name: "vault", from: ".", kind: "vault" }]);
  });

  it("are none in a folder that only has one called logseq", async () => {
    const root = folder({ "logseq/src/main.ts": "" });
    expect(await originsOf(root, await readConfig(root))).toEqual([]);
  });

  it("are only the configured ones where one of them reads the root", async () => {
    for (const from of [".", "./", "notes/..", "../"]) {
      const root = folder({
        ".obsidian/app.json": "{}",
        "notes/a.md": "",
        [configName]: JSON.stringify({ notes: [{ name: "all", from }] }),
      });
      expect((await originsOf(root, await readConfig(root))).map(({ name }) => name)).toEqual(["all"]);
    }
    const root = folder({ ".obsidian/app.json": "{}" });
    const link = join(folder({}), "link");
    symlinkSync(root, link);
    writeFileSync(join(root, configName), JSON.stringify({ notes: [{ name: "all", from: link }] }));
    expect((await originsOf(root, await readConfig(root))).map(({ name }) => name)).toEqual(["all"]);
  });

  it("keep their names when the root is one, too", async () => {
    const root = folder({
      ".obsidian/app.json": "{}",
      [configName]: JSON.stringify({ notes: [{ name: "Vault", from: "sub" }] }),
    });
    expect((await originsOf(root, await readConfig(root))).map(({ name }) => name)).toEqual(["vault-2", "Vault"]);
  });

  it("are somewhere", () => {
    expect(resolvePlace("/r", { name: "a", from: "x/../y" })).toBe("/r/y");
    expect(resolvePlace("/r", { name: "a", from: "/abs" })).toBe("/abs");
    expect(resolvePlace("/r", { name: "a", from: "~/n" })).toBe(join(homedir(), "n"));
    expect(resolvePlace("/r", { name: "a", from: "~n" })).toBe("/r/~n");
    expect(() => resolvePlace("/r", { name: "a" })).toThrow(/only live/);
  });
});

describe("writing the config file", () => {
  const written = (root: string) => readFileSync(join(root, configName), "utf8");

  it("makes one where there is none", async () => {
    const root = folder({});
    addOrigin(root, vault);
    expect(written(root)).toBe('{\n  "notes": [\n    {\n      "name": "work",\n      "from": "notes"\n    }\n  ]\n}\n');
    expect(removeOrigin(root, "WORK")).toEqual(vault);
    expect(await readConfig(root)).toEqual({ notes: [], lenses: [] });
  });

  it("keeps everything else that was written", async () => {
    const text =
      '// ours\n{\n  "lenses": { "a": { "maxDepth": 2 } }, // short\n  "notes": [\n    { "name": "x", "from": "x" }, // first\n  ]\n}\n';
    const root = rootWith(text);
    addOrigin(root, vault);
    expect((await readConfig(root)).notes.map(({ name }) => name)).toEqual(["x", "work"]);
    for (const kept of ["// ours", "// short", "// first", '"maxDepth": 2']) expect(written(root)).toContain(kept);
    removeOrigin(root, "work");
    expect(JSON.stringify((await readConfig(root)).notes)).toBe('[{"name":"x","from":"x"}]');
    expect(written(root)).toContain("// first");
  });

  it("adds the list where only lenses are", async () => {
    const root = rootWith('{ "lenses": {} }');
    addOrigin(root, vault);
    expect((await readConfig(root)).notes).toEqual([vault]);
    expect(JSON.parse(written(root))).toHaveProperty("lenses");
  });

  it("changes nothing when it refuses, and leaves nothing behind", () => {
    const root = rootWith("{ broken");
    expect(() => addOrigin(root, vault)).toThrow(expect.objectContaining({ code: "bad-config" }));
    expect(() => removeOrigin(root, "work")).toThrow(expect.objectContaining({ code: "bad-config" }));
    expect(written(root)).toBe("{ broken");
    writeFileSync(join(root, configName), JSON.stringify({ notes: [vault] }));
    expect(() => addOrigin(root, { ...vault, name: "Work" })).toThrow(
      expect.objectContaining({ code: "already-exists" }),
    );
    expect(() => addOrigin(root, { name: "..", from: "x" })).toThrow(expect.objectContaining({ code: "bad-config" }));
    expect(() => removeOrigin(root, "wrok")).toThrow('No notes are connected as "wrok"; there is only work.');
    expect(written(root)).toBe(JSON.stringify({ notes: [vault] }));
    expect(readdirSync(root)).toEqual([configName]);
  });

  it("follows a link to the file and keeps its permissions", () => {
    const elsewhere = join(folder({ "shared.json": "{}" }), "shared.json");
    chmodSync(elsewhere, 0o640);
    const root = folder({});
    symlinkSync(elsewhere, join(root, configName));
    addOrigin(root, vault);
    expect(JSON.parse(readFileSync(elsewhere, "utf8"))).toEqual({ notes: [vault] });
    expect(statSync(elsewhere).mode & 0o777).toBe(0o640);
  });

  it.skipIf(process.getuid?.() === 0)("says so when the folder cannot be written", () => {
    const root = folder({});
    chmodSync(root, 0o500);
    expect(() => addOrigin(root, vault)).toThrow(/dossier\.json cannot be written/);
    chmodSync(root, 0o700);
    expect(existsSync(join(root, configName))).toBe(false);
  });
});
