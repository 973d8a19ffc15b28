import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completions, foldersAmong, type Mentionable, mentionable, resolveName } from "./complete.ts";
import { findMentions, mentionOf } from "./mentions.ts";

const anyText = fc.uint16Array({ maxLength: 60 }).map((codes) => String.fromCharCode(...codes));
const names = (text: string) => findMentions(text).map(({ name, folder }) => (folder ? `${name}/` : name));
const surely = (text: string) => findMentions(text).flatMap(({ name, sure }) => (sure ? name : []));

describe("mentions", () => {
  it.each([
    ["What does @plan.md say?", ["plan.md"]],
    ["Compare @notes/a.md, @notes/b.md.", ["notes/a.md", "notes/b.md"]],
    ["All of @notes/2026/ please", ["notes/2026/"]],
    ["@release-plan!", ["release-plan"]],
    ['In @"Release plan": when?', ["Release plan"]],
    ["In @'Release plan' and @“Plan B”", ["Release plan", "Plan B"]],
    ["(see @plan.md)", ["plan.md"]],
    ["@notes\\win.md", ["notes/win.md"]],
    ["@./a.md and @/b.md", ["a.md", "b.md"]],
    ["@draft(1).md", ["draft(1).md"]],
    ["(@draft(1))", ["draft(1)"]],
    ["@über/größe.md", ["über/größe.md"]],
    ["ann@example.org, a.b+c@mail.example.org", []],
    ["@@twice @ alone @", []],
    ['@"" @" "', []],
  ])("in %j are %j", (text, expected) => expect(names(text)).toEqual(expected));

  it("are sure when their form says so", () => {
    expect(surely('@plan.md @notes/ @"x" @Override @ann @app.route')).toEqual(["plan.md", "notes", "x", "app.route"]);
  });

  it("lie where they say", () => {
    const text = 'See @"Release plan" and (@notes/a.md).';
    expect(findMentions(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      '@"Release plan"',
      "@notes/a.md",
    ]);
  });

  it("never fail, and lie inside the text in order", () => {
    const parts = fc.constantFrom(
      "@",
      '"',
      "'",
      "/",
      "\\",
      ".",
      " ",
      "a",
      "é",
      "(",
      ")",
      "[",
      "]",
      "\n",
      "😀",
      "-",
      "“",
      "”",
    );
    const text = fc.oneof(
      anyText,
      fc.array(parts, { maxLength: 60 }).map((each) => each.join("")),
    );
    fc.assert(
      fc.property(text, (input) => {
        let last = 0;
        for (const { name, start, end } of findMentions(input)) {
          expect(input[start]).toBe("@");
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeLessThanOrEqual(input.length);
          expect(name).not.toBe("");
          last = end;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("are read back from how they are written", () => {
    const path = fc
      .stringMatching(/^[a-zé0-9 ._-]{0,8}[a-z0-9](\/[a-z0-9 ()._-]{0,8}[a-z0-9]){0,3}$/u)
      .map((each) => each.trim());
    fc.assert(
      fc.property(path, fc.boolean(), (name, folder) => {
        fc.pre(!/^\.*\//.test(name) && name !== "");
        const mention = mentionOf(folder ? `${name}/` : name);
        expect(findMentions(`See ${mention} now`)).toMatchObject([{ name, folder }]);
      }),
    );
  });

  it("cost no more in a hostile text", () => {
    expect(findMentions("@a".repeat(100_000)).length).toBeLessThan(2);
    expect(findMentions(`@${"a.".repeat(100_000)}`)).toEqual([]);
    expect(findMentions(`@"${"a ".repeat(100_000)}`)).toEqual([]);
    expect(findMentions("@)".repeat(100_000))).toEqual([]);
    expect(findMentions(`@a${"()".repeat(50_000)}${")".repeat(50_000)}`).length).toBeLessThan(2);
  });
});

const documents = [
  { path: "settings.json", changed: 1 },
  { path: "notes/settings-old.md", changed: 2 },
  { path: "notes/knowledge.md", changed: 3 },
  { path: "archive/2025/reset.md", changed: 4 },
];
const among: Mentionable[] = [
  ...documents.map(({ path, changed }) => mentionable("document", `id of ${path}`, path, changed)),
  ...foldersAmong(documents),
  mentionable("thread", "thr-1", "Setting up the release", 5),
  mentionable("thread", "thr-2", "Release plan", 6),
];
const labels = (typed: string, limit = 10) => completions(typed, among, limit).map(({ label }) => label);

describe("completion", () => {
  it("puts what begins so before what merely has it", () => {
    const expectedLabels = [
      "settings.json",
      "notes/settings-old.md",
      "Setting up the release",
      "archive/2025/reset.md",
    ];
    expect(labels("@set")).toEqual(expectedLabels);
  });

  it("offers folders, and threads by a word of their title", () => {
    expect(labels("notes")[0]).toBe("notes/");
    expect(labels("notes/")).toContain("notes/knowledge.md");
    expect(labels("release")).toEqual(["Release plan", "Setting up the release"]);
    expect(labels("release-pl")).toEqual(["Release plan"]);
  });

  it("forgives a typo", () => {
    expect(labels("knowlege")).toEqual(["notes/knowledge.md"]);
    expect(labels("setings")).toContain("settings.json");
    expect(labels("relaese")).toEqual(["Release plan", "Setting up the release"]);
    expect(labels("zzzzzz")).toEqual([]);
  });

  it("shows the newest when nothing was typed, and no more than asked for", () => {
    expect(labels("", 2)).toEqual(["Release plan", "Setting up the release"]);
    expect(labels("@", 1)).toEqual(["Release plan"]);
  });
});

describe("what a mention means", () => {
  it.each([
    ["notes/knowledge.md", false, "notes/knowledge.md"],
    ["knowledge.md", false, "notes/knowledge.md"],
    ["knowledge", false, "notes/knowledge.md"],
    ["NOTES/Knowledge.md", false, "notes/knowledge.md"],
    ["notes", true, "notes/"],
    ["2025", true, "archive/2025/"],
    ["release-plan", false, "Release plan"],
    ["Release plan", false, "Release plan"],
    ["thr-2", false, "Release plan"],
  ])("%j (folder: %j) is %j", (name, folder, label) => expect(resolveName(name, folder, among)?.label).toBe(label));

  it.each([["Override"], ["knowlege"], ["plan"], ["ledge.md"]])("%j is nothing", (name) =>
    expect(resolveName(name, false, among)).toBeUndefined(),
  );
});

describe("completions of a misspelt name", () => {
  const all = [
    mentionable("document", "doc-1", "billing/refund policy.md", 5),
    mentionable("document", "doc-2", "notes/2026-release-checklist.md", 4),
    mentionable("thread", "thr-1", "Q3 release notes", 3),
    mentionable("document", "doc-3", "garden.md", 2),
    ...foldersAmong([{ path: "architecture/queues.md", changed: 1 }]),
    mentionable("document", "doc-4", "architecture/queues.md", 1),
  ];
  const labels = (typed: string) => completions(typed, all, 10).map(({ label }) => label);

  it.each([
    ["@polcy", "billing/refund policy.md"],
    ["@refnud", "billing/refund policy.md"],
    ["@relase notes", "Q3 release notes"],
    ["@checklsit", "notes/2026-release-checklist.md"],
    ["@gardne", "garden.md"],
    ["@quees", "architecture/queues.md"],
    ["@architeture", "architecture/"],
    ["@architeture/queus", "architecture/queues.md"],
    ["@biling", "billing/refund policy.md"],
  ])("%s is %s", (typed, label) => {
    expect(labels(typed)[0]).toBe(label);
  });

  it("does not guess at what is another name", () => {
    expect(labels("@zebra")).toEqual([]);
  });
});
