import { expect, it } from "vitest";
import { extract, extractable } from "../extract.ts";

async function sections(path: string, text: string): Promise<string[]> {
  return (await extract(path, text)).units.map((unit) => `${unit.startLine}-${unit.endLine} ${unit.qualified}`);
}

const restructured =
  "=====\nGuide\n=====\n\nHello ``there``.\n\n.. _install:\n\nInstall\n=======\n\nRun::\n\n    Not a title\n    ===========\n\nOptions\n-------\n\nMany.\n\nUse\n===\n\nSo.\n";

it("reads reStructuredText by its underlines, levels in the order they appear", async () => {
  const expected = ["1-7 Guide", "9-15 Guide > Install", "17-20 Guide > Install > Options", "22-25 Guide > Use"];
  expect((await sections("a.rst", restructured)).map((line) => line.replace(/^\S+ /, ""))).toEqual(
    expected.map((line) => line.replace(/^\S+ /, "")),
  );
  expect((await extract("docs/a.txt", restructured)).language).toBe("restructuredtext");
});

it("takes an indented block for code, not for a title", async () => {
  const { units } = await extract("a.rst", restructured);
  expect(units[1]?.own.code).toContain("Not a title");
});

it("reads AsciiDoc, Org and LaTeX by their headings", async () => {
  expect(await sections("a.adoc", "= Guide\n\n== Install\n----\n== not one\n----\n")).toEqual([
    "1-1 Guide",
    "3-6 Guide > Install",
  ]);
  expect(await sections("a.org", "* One\n** Two\n#+begin_src\n* no\n#+end_src\n")).toEqual([
    "1-1 One",
    "2-5 One > Two",
  ]);
  expect(await sections("a.tex", "\\section{One}\ntext\n\\subsection*{Two}\n")).toEqual(["1-2 One", "3-3 One > Two"]);
});

it("reads AsciiDoc's titles of two lines, and no block with a line above it", async () => {
  const text =
    "Guide\n=====\n:author: Me\n\n[[install]]\nInstall it\n----------\n\n----\nNot one\n-------\n----\n\nOn Windows\n~~~~~~~~~\n\n.Title\n------\ncode\n------\n\nwords before\ncode\n----\nx\n----\n";
  expect(await sections("a.adoc", text)).toEqual([
    "1-5 Guide",
    "6-12 Guide > Install it",
    "14-26 Guide > Install it > On Windows",
  ]);
});

it("reads RDoc by its headings, and an indented block as code", async () => {
  const text = "= Guide\n\nHello.\n\n== Tasks\n\n  == not one\n\n=== With arguments\n\nSo.\n";
  expect(await sections("doc/a.rdoc", text)).toEqual([
    "1-3 Guide",
    "5-7 Guide > Tasks",
    "9-11 Guide > Tasks > With arguments",
  ]);
  expect((await extract("doc/a.rdoc", text)).units[1]?.own.code).toContain("not one");
});

it("reads POD by its headings, below the module that it is about", async () => {
  const text =
    "=encoding utf8\n\n=head1 NAME\n\nShop::Guide - How to sell\n\n=head1 RECIPES\n\n=head2 Use C<refund>\n\n  refund(1);\n\n  =head2 not one\n\nSo.\n";
  expect(await sections("lib/Shop/Guide.pod", text)).toEqual([
    "3-5 Shop::Guide > NAME",
    "7-7 Shop::Guide > RECIPES",
    "9-15 Shop::Guide > RECIPES > Use refund",
  ]);
  expect((await extract("lib/Shop/Guide.pod", text)).units[2]?.own.code).toContain("refund(1)");
});

it("reads a manual page by its sections and options", async () => {
  const text = [
    ".TH FD 1",
    ".SH NAME",
    "fd \\- find entries",
    '.SH "SEE ALSO"',
    ".BR find (1).",
    ".SH OPTIONS",
    ".TP",
    ".B \\-H, \\-\\-hidden",
    "Include hidden files.",
    ".TP",
    '.BI "\\-E, \\-\\-exclude " pattern',
    "Exclude what matches.",
    ".TP",
    "not an option",
    "text",
    ".SS Others",
    "None.",
  ].join("\n");
  expect(await sections("doc/fd.1", text)).toEqual([
    "1-1 FD",
    "2-3 FD > NAME",
    "4-5 FD > SEE ALSO",
    "6-6 FD > OPTIONS",
    "7-9 FD > OPTIONS > -H, --hidden",
    "10-15 FD > OPTIONS > -E, --exclude pattern",
    "16-17 FD > OPTIONS > Others",
  ]);
  expect((await extract("doc/fd.1", text)).language).toBe("roff");
  const mdoc = ".Dd May 1\n.Dt LS 1\n.Sh NAME\n.Nm ls\n.Sh DESCRIPTION\n.Bl -tag\n.It Fl a Ar name\nAll.\n.El\n";
  expect(await sections("ls.1", mdoc)).toEqual([
    "1-2 LS",
    "3-4 LS > NAME",
    "5-6 LS > DESCRIPTION",
    "7-9 LS > DESCRIPTION > -a name",
  ]);
});

it("takes a numbered file that is no manual page for plain text", async () => {
  expect((await extract("logs/server.1", "One.\n.SHOUT\n")).language).toBe("text");
});

it("reads HTML by its headings and knows its title", async () => {
  const extraction = await extract(
    "a.html",
    "<title>Shop</title>\n<h1>Shop</h1>\n<p>x\n<h2 class=a>Buy <b>it</b></h2>\n",
  );
  expect(extraction.doc).toBe("Shop");
  expect(extraction.units.map((unit) => unit.qualified)).toEqual(["Shop", "Shop > Buy it"]);
});

it("leaves a short plain text whole and splits a long one at paragraphs", async () => {
  expect(await sections("notes.txt", "One.\n\nTwo.\n")).toEqual([]);
  const { units } = await extract("notes.txt", "A line.\n\n".repeat(200));
  expect(units.map((unit) => unit.name)).toEqual(["notes", "notes (2)", "notes (3)", "notes (4)"]);
});

it("says which names it knows how to read", () => {
  for (const path of ["a.py", "a.md", "a.json", "Dockerfile", "LICENSE", "a.kt"]) expect(extractable(path)).toBe(true);
  for (const path of ["a.png", "a.bin", "a.unknown"]) expect(extractable(path)).toBe(false);
});

it("reads text of an unknown kind as plain text", async () => {
  expect(await extract("a.unknown", "hello\n")).toMatchObject({ language: "text", kind: "document", units: [] });
});
