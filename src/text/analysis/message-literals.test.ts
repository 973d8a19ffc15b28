// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are source text of other languages
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageTemplates } from "./message-literals.ts";

const pieces = (code: string, language: string) =>
  messageTemplates(code.split("\n"), language).map((template) => template.pieces.map(({ text }) => text));

describe("the fixed text of a literal", () => {
  it.each([
    ["python", 'raise ValueError("could not open %s: %d bytes left" % (a, b))', ["could not open", "bytes left"]],
    ["python", "log.error('could not open %(name)s, %-5.2f left')", ["could not open", "left"]],
    ["python", 'x = f"could not open {name!r:>{width}} today"', ["could not open", "today"]],
    ["python", '"could not open {0:>3} or {name}".format(a)', ["could not open", "or"]],
    ["javascript", "throw new Error(`could not open ${paths.map((p) => p.name)} today`)", ["could not open", "today"]],
    ["javascript", "throw new Error('could not open ' + f(a, b) + ' today')", ["could not open", "today"]],
    ["ruby", 'raise Failure, "could not open #{path} today"', ["could not open", "today"]],
    ["php", 'throw new X("could not open $path or {$this->name} today");', ["could not open", "or", "today"]],
    ["php", "throw new X('could not open ' . $path . ' today');", ["could not open", "today"]],
    ["kotlin", 'error("could not open $path and ${a.b} today")', ["could not open", "and", "today"]],
    ["bash", 'echo "could not open $path today" >&2', ["could not open", "today"]],
    ["go", 'fmt.Errorf("could not open %q: %w, %v left", a, err, b)', ["could not open", "left"]],
    ["rust", 'bail!("could not open {:?} or {path} today")', ["could not open", "or", "today"]],
    ["rust", 'bail!(r#"could not open {path}"#)', ["could not open"]],
    ["csharp", 'throw new X($"could not open {path} or {0:N2} today");', ["could not open", "or", "today"]],
    ["swift", 'fatalError("could not open \\(url.path(x)) today")', ["could not open", "today"]],
    ["c", 'fprintf(stderr, "could not open %5" PRIu64 " today", n);', ["could not open", "today"]],
    ["java", 'throw new X("(line %,d) could not open %,.2f today", line, path);', ["line", "could not open", "today"]],
    ["java", 'throw new X("could not open " + path + " today");', ["could not open", "today"]],
  ])("is what stands between its placeholders: %s: %s", (language, code, expected) => {
    expect(pieces(code, language)).toEqual([expected]);
  });

  it("goes on in literals that are joined over several lines", () => {
    const python = [
      "raise TypeError(",
      '    f"The view {name!r} did not"',
      "    ' return a valid response.'",
      ")",
    ].join("\n");
    expect(messageTemplates(python.split("\n"), "python", 10)).toMatchObject([
      { startLine: 11, endLine: 12, pieces: [{ text: "the view" }, { text: "did not return a valid response" }] },
    ]);
    expect(pieces('die("The view did not "\n    "return");', "c")).toEqual([["the view did not return"]]);
    expect(pieces('throw new Error("The view did not " +\n  "return")', "javascript")).toEqual([
      ["the view did not return"],
    ]);
  });

  it("is taken sentence by sentence, for messages are pasted in part", () => {
    expect(pieces('fail("Not a valid response. Return a text.\\nOr a list.")', "go")).toEqual([
      ["not a valid response", "return a text", "or a list"],
    ]);
  });

  it("is that of a heredoc, whose quotes hide nothing after it", () => {
    const ruby = [
      "warn <<~EOM",
      "  It looks like you don't have #{name}.",
      "  Install it.",
      "EOM",
      'raise "could not open"',
    ];
    expect(messageTemplates(ruby, "ruby")).toMatchObject([
      { startLine: 2, endLine: 3, pieces: [{ text: "it looks like you dont have" }, { text: "install it" }] },
      { startLine: 5, pieces: [{ text: "could not open" }] },
    ]);
    expect(pieces("echo <<<EOT\nIt's not open.\nEOT;\nfail('could not close');", "php")).toEqual([
      ["its not open"],
      ["could not close"],
    ]);
    expect(pieces("cat <<-'END'\n\tIt's not open.\n\tEND\necho 'could not close'", "bash")).toHaveLength(2);
  });

  it("is no heredoc where nothing ends it", () => {
    expect(pieces('list <<ITEM\nraise "could not open"', "ruby")).toEqual([["could not open"]]);
    expect(pieces('class << self\n  raise "could not open"\nself', "ruby")).toEqual([["could not open"]]);
  });

  it("is a value of a catalogue of messages, with or without quotes", () => {
    expect(pieces('failed: "Could not open %{path}."', "yaml")).toEqual([["could not open"]]);
    expect(pieces("failed: Could not open %{path} today", "yaml")).toEqual([["could not open", "today"]]);
    expect(pieces("store.failed=Could not open {0} today", "properties")).toEqual([["could not open", "today"]]);
    expect(pieces('<string name="failed">Could not open %1$s today</string>', "xml")).toEqual([
      ["could not open", "today"],
    ]);
    expect(pieces('{ "failed": "Could not open {{path}} today" }', "json")).toEqual([["could not open", "today"]]);
  });

  it("is not that of the next argument", () => {
    expect(pieces('check("could not open", "should be closed")', "go")).toEqual([
      ["could not open"],
      ["should be closed"],
    ]);
    expect(pieces('f("could not open" + a, b + "should be closed")', "javascript")).toHaveLength(2);
  });

  it("is no comment, documentation, key or name", () => {
    expect(pieces('# say "could not open"\nx = {"key": "some_value"}', "python")).toEqual([]);
    expect(pieces('def f():\n    """Could not open the file."""\n', "python")).toEqual([]);
    expect(pieces("def f():\n    'Could not open the file.'\n", "python")).toEqual([]);
    expect(pieces("// it's said: 'could not open'", "javascript")).toEqual([]);
  });

  it("is never read outside the given lines, whatever they hold", () => {
    const languages = [
      "python",
      "javascript",
      "rust",
      "cpp",
      "php",
      "lua",
      "markdown",
      "ruby",
      "yaml",
      "xml",
      "unknown",
    ];
    fc.assert(
      fc.property(fc.array(fc.string()), fc.constantFrom(...languages), (lines, language) => {
        for (const { startLine, endLine, pieces, letters } of messageTemplates(lines, language)) {
          expect(startLine).toBeGreaterThanOrEqual(1);
          expect(endLine).toBeGreaterThanOrEqual(startLine);
          expect(endLine).toBeLessThanOrEqual(lines.length);
          expect(letters).toBe(pieces.reduce((sum, piece) => sum + piece.letters, 0));
        }
      }),
    );
  });
});
