import { describe, expect, it } from "vitest";
import { formatDay, journalDay, parseTime } from "./dates.ts";
import { logseqSettings, type VaultSettings } from "./flavour.ts";
import { pageNames } from "./page-names.ts";

const none = { aliases: [] };
const obsidian: VaultSettings = { flavour: "obsidian", listProperties: [] };
const logseq: VaultSettings = { flavour: "logseq", listProperties: [] };

describe("what a page is called", () => {
  it("in Obsidian is its file's name, and links may begin anywhere in its path", () => {
    const named = pageNames("Areas/Work/My  Note.md", { title: "Other", aliases: ["Alias "] }, obsidian);
    expect(named.name).toBe("My  Note");
    expect(named.aliases).toEqual(["[[my note]]", "[[work/my note]]", "[[areas/work/my note]]", "[[alias]]"]);
  });

  it("elsewhere is its title, where it has one", () => {
    const named = pageNames("a/b.md", { title: "A Title", aliases: [] }, { flavour: "markdown", listProperties: [] });
    expect(named.name).toBe("A Title");
    expect(named.aliases).toEqual(["[[a title]]", "[[b]]", "[[a/b]]"]);
  });

  it("is the same however its letters are composed", () => {
    expect(pageNames("Cafe\u0301.md", none, obsidian).aliases).toEqual(["[[caf\u00e9]]"]);
  });

  it("in Logseq is what its file's name stands for", () => {
    const name = (path: string, settings = logseq) => pageNames(`pages/${path}.md`, none, settings).name;
    expect(name("Project___Apollo")).toBe("Project/Apollo");
    expect(name("What%3F A%3A B")).toBe("What? A: B");
    expect(name("a%252Fb")).toBe("a%2Fb");
    expect(name("50% done")).toBe("50% done");
    expect(name("ends with.___")).toBe("ends with.");
    expect(name("Version 1.0")).toBe("Version 1.0");
    expect(name("a.b%2Fc", { ...logseq, fileNames: "legacy" })).toBe("a/b/c");
    expect(name("%E0%A4", { ...logseq, fileNames: "legacy" })).toBe("%E0%A4");
    expect(name("Tool___Shape___v1.2", { ...logseq, fileNames: "legacy" })).toBe("Tool/Shape/v1.2");
  });

  it("in Logseq may be said by the page itself, and then dots are dots", () => {
    const named = pageNames("pages/a.b.md", { title: "Custom", aliases: [] }, logseq);
    expect(named.name).toBe("Custom");
    expect(named.aliases).not.toContain("[[a/b]]");
    expect(pageNames("pages/a.b.md", none, logseq).aliases).toEqual(expect.arrayContaining(["[[a.b]]", "[[a/b]]"]));
  });

  it("of a journal is its date, in the configured format", () => {
    const named = pageNames("journals/2024_01_31.md", none, logseq);
    expect(named).toMatchObject({ name: "2024-01-31", day: { year: 2024, month: 1, day: 31 } });
    expect(named.aliases).toEqual(expect.arrayContaining(["[[jan 31st, 2024]]", "[[2024-01-31]]", "[[2024_01_31]]"]));
    const configured = pageNames("journals/2024_01_31.md", none, { ...logseq, journalTitle: "EEEE, dd.MM.yyyy" });
    expect(configured.name).toBe("Wednesday, 31.01.2024");
    expect(configured.aliases).toContain("[[wednesday, 31.01.2024]]");
  });

  it("says which page it stands below", () => {
    expect(pageNames("pages/a___b___c.md", none, logseq).above).toBe("a/b");
    expect(pageNames("a/b.md", none, obsidian).above).toBeUndefined();
  });
});

describe("the configuration of Logseq", () => {
  it("is read as far as it changes names, without what is commented out", () => {
    const config = `{:meta/version 1
 ;; :journal/page-title-format "yyyy"
 :journal/page-title-format "EEE, yyyy-MM-dd" ; ours
 :file/name-format :triple-lowbar
 :property/separated-by-commas #{:Crew :people}}`;
    expect(logseqSettings(config)).toEqual({
      fileNames: "triple-lowbar",
      journalTitle: "EEE, yyyy-MM-dd",
      listProperties: ["crew", "people"],
    });
    expect(logseqSettings("{}")).toEqual({ fileNames: "legacy", listProperties: [] });
    expect(logseqSettings(undefined)).toEqual({ listProperties: [] });
  });
});

describe("dates", () => {
  it("are formatted as Logseq does", () => {
    const on = (day: number) => formatDay({ year: 2024, month: 3, day }, "MMM do, yyyy");
    expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31].map(on)).toEqual([
      ...["Mar 1st, 2024", "Mar 2nd, 2024", "Mar 3rd, 2024", "Mar 4th, 2024", "Mar 11th, 2024", "Mar 12th, 2024"],
      ...["Mar 13th, 2024", "Mar 21st, 2024", "Mar 22nd, 2024", "Mar 23rd, 2024", "Mar 31st, 2024"],
    ]);
    expect(formatDay({ year: 2024, month: 3, day: 5 }, "d/M/yy 'at' EEE MMMM")).toBe("5/3/24 at Tue March");
  });

  it("must exist", () => {
    expect(journalDay("2024_02_30")).toBeUndefined();
    expect(journalDay("2024-02-29")).toEqual({ year: 2024, month: 2, day: 29 });
    expect(parseTime("2023-02-29")).toBeUndefined();
    expect(parseTime("2024-13-01")).toBeUndefined();
    expect(parseTime("soon")).toBeUndefined();
  });

  it("are the same in every time zone", () => {
    expect(parseTime("2024-01-31")).toBe(Date.UTC(2024, 0, 31));
    expect(parseTime("[[2024-01-31]]")).toBe(Date.UTC(2024, 0, 31));
    expect(parseTime("2024-01-31T10:30")).toBe(Date.UTC(2024, 0, 31, 10, 30));
    expect(parseTime("2024-01-31 10:30:15+02:00")).toBe(Date.UTC(2024, 0, 31, 8, 30, 15));
    expect(parseTime("2024-01-31T10:30:15.123Z")).toBe(Date.UTC(2024, 0, 31, 10, 30, 15));
    expect(parseTime("1704200000000")).toBe(1704200000000);
    expect(parseTime("1704200000")).toBe(1704200000000);
  });
});
