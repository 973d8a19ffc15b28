import { expect, it } from "vitest";
import { messagesOf, sitesIn } from "./error-messages.ts";
import type { LanguageName } from "./languages.ts";

function templates(language: LanguageName, ...lines: string[]): string[] {
  return sitesIn(lines.join("\n"), language).map(({ pieces, first, last }) => {
    const shown = pieces.map((piece) => (typeof piece === "string" ? piece : `<${piece.expression}>`)).join("");
    return `${first}-${last} ${shown}`;
  });
}

it("joins the pieces of a text and keeps what is put between them", () => {
  const python = ["raise ValueError(", '    f"No such {name!r} in the"', '    " table of names"', ")"];
  expect(templates("python", ...python)).toEqual(["1-3 No such <name!r> in the table of names"]);
  expect(templates("python", 'logger.warning("Could not read %s at all", path)')).toEqual([
    "1-1 Could not read <%s> at all",
  ]);
  expect(templates("java", 'throw new A("Expected a number but was " + peek() + " at path " + p);')).toEqual([
    "1-1 Expected a number but was <peek()> at path <p>",
  ]);
  expect(templates("typescript", "throw new Error(`Invalid tag name here: $" + "{name}`)")).toEqual([
    "1-1 Invalid tag name here: <name>",
  ]);
  expect(templates("go", 'return fmt.Errorf("cannot read the header: %w", err)')).toEqual([
    "1-1 cannot read the header: <%w>",
  ]);
  expect(templates("ruby", 'raise ArgumentError, "unable to convert #{value} to a time object"')).toEqual([
    "1-1 unable to convert <value> to a time object",
  ]);
});

it("leaves out what says too little", () => {
  expect(templates("python", 'raise ValueError("bad value")', "raise ValueError(message)")).toEqual([]);
});

it("fills the holes with likely values, and knows every place of the same text", () => {
  const text = 'raise IOError(f"Could not read the file {path}")\n';
  const file = { language: "python" as const, text, beside: false };
  const files = [
    { ...file, path: "a.py" },
    { ...file, path: "b.py" },
    { ...file, path: "tests/c.py", beside: true },
  ];
  expect(messagesOf(files, 5)).toEqual([
    {
      query: "Could not read the file /srv/shop/config/settings.yaml",
      sites: [
        { path: "a.py", first: 1, last: 1 },
        { path: "b.py", first: 1, last: 1 },
      ],
    },
  ]);
});
