/** Titles of tests that are calls with a sentence, as in JavaScript: `describe("res", …)`, `it("should end the response", …)`. */
export type TestTitle = {
  /** What the groups around it are called, outermost first. */
  groups: string[];
  title: string;
};

const group = /^(?:describe|context|suite)(?:\.\w+)?$/;
// The title is the first thing in the call: a name that is computed says nothing to a reader.
const call =
  /^([ \t]*)(?:x|f)?(describe|context|suite|it|test|specify)(?:\.\w+)?\s*\(\s*(["'`])((?:\\.|(?!\3)[^\\\n]){1,300})\3\s*,/gm;

/** A generated file may have any number. */
const mostTitles = 2000;

/** Groups are told by indentation: no parser is needed, and one that is indented strangely only loses its group. */
export function testTitles(text: string): TestTitle[] {
  const open: { indent: number; title: string }[] = [];
  const titles: TestTitle[] = [];
  for (const [, blanks, name, , written] of text.matchAll(call)) {
    const indent = blanks!.length;
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
    const title = written!.replace(/\\(.)/g, "$1").replace(/\s+/g, " ").trim();
    if (group.test(name!)) open.push({ indent, title });
    else titles.push({ groups: open.map((each) => each.title), title });
    if (titles.length >= mostTitles) break;
  }
  return titles;
}
