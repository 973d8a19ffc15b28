import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { context, search } from "../../index.ts";

const filler = (what: string, lines: number) =>
  Array.from({ length: lines }, (_, i) => `    ${what}_${i} = prepare_${what}(${i})`).join("\n");
const tree = {
  "app/views.py": `"""Views return a valid response: what a view function did, and what it did not."""

def make_response(view, value):
    """The view function returns a valid response."""
    return view.response(value)

class Application:
${filler("setting", 4)}

    def finalize(self, view, value):
        if value is None:
            raise TypeError(
                f"The view function for {view.name!r} did not"
                " return a valid response. The function either returned None"
                " or ended without a return statement."
            )
        return value
`,
  "app/worker.go": `package app

func open(path string) error {
${Array.from({ length: 80 }, (_, i) => `\tstep${i} := prepare(path, ${i})`).join("\n")}
	if err := read(path); err != nil {
		log.Printf("could not open %s: %v", path, err)
		return err
	}
${Array.from({ length: 80 }, (_, i) => `\tfinish(step${i})`).join("\n")}
	return nil
}
`,
  "app/files.go": `package app

// opened files: what could be opened and what could not be opened
func isOpen(file File) bool {
	return file.open && !file.denied("permission")
}
`,
  "tests/test_views.py": `def test_view_function():
    with raises(TypeError, match="The view function for 'index' did not return a valid response."):
        run_view_function()
`,
};

async function first(query: string) {
  const { results } = await search({ query, path: folder(tree), minScore: 0 });
  return `${results[0]!.path} ${results[0]!.name}`;
}

describe("a pasted message", () => {
  it("finds what raises it, before its tests and what speaks of the same", async () => {
    const message = "The view function for 'index' did not return a valid response.";
    expect(await first(`TypeError: ${message}`)).toBe("app/views.py finalize");
    expect(await first(`why do I get "${message}"?`)).toBe("app/views.py finalize");
    const frames = '  File "/srv/main.py", line 3, in <module>\n    run()\n';
    expect(await first(`Traceback (most recent call last):\n${frames}TypeError: ${message}`)).toBe(
      "app/views.py finalize",
    );
  });

  it("leads to what raises it, not to the class of the error, unless that is asked for", async () => {
    const path = folder({
      "shop/errors.py": 'class InvalidURL(ValueError):\n    """The URL is invalid."""\n',
      "shop/request.py": `from .errors import InvalidURL

def prepare(url, host):
    if not host:
        raise InvalidURL(f"Invalid URL {url!r}: No host supplied")
    return url
`,
    });
    const firstOf = async (query: string) => (await context({ query, path })).items[0]!.path;
    expect(await firstOf("InvalidURL: Invalid URL http:///cart: No host supplied")).toBe("shop/request.py");
    expect(await firstOf("InvalidURL: Invalid URL 'a': No host supplied")).toBe("shop/request.py");
    expect(await firstOf("what is InvalidURL for?")).toBe("shop/errors.py");
    expect(await firstOf('where is InvalidURL defined? It says "No host supplied"')).toBe("shop/errors.py");
  });

  it("finds what logs it, inside a report too", async () => {
    const line = "ERROR 2024-01-01 12:00:03 worker: could not open /tmp/a.txt: permission denied";
    expect(await first(line)).toBe("app/worker.go open");
    const report = `The service stops\n\nSince May the view function does not answer.\n\n\`\`\`\n${line}\n\`\`\`\n`;
    expect(await first(report)).toBe("app/worker.go open");
  });

  it("has the line that prints it in the answer where the function is cut", async () => {
    const query = "could not open /tmp/a.txt: permission denied";
    const { items } = await context({ query, path: folder(tree), minScore: 0, maxTokens: 400 });
    expect(items[0]).toMatchObject({ path: "app/worker.go", level: "elided" });
    expect(items[0]!.text).toContain('log.Printf("could not open %s: %v", path, err)');
  });

  it("makes the answer sure of itself, though what was filled in is in no file", async () => {
    const query = "ERROR could not open zanzibar-quux-7731: frobnication of the ninth kind";
    expect((await context({ query, path: folder(tree), minScore: 0 })).confidence).toBe(1);
  });

  it("finds its tests where tests are asked for, and the kinds that are", async () => {
    const query = "The view function for 'index' did not return a valid response.";
    const ask = async (options: object) =>
      (await search({ query, path: folder(tree), minScore: 0, ...options })).results[0];
    expect(await ask({ tests: "only" })).toMatchObject({
      name: "test_view_function",
      because: { message: expect.any(Number) },
    });
    expect(await ask({ types: ["method"] })).toMatchObject({
      name: "finalize",
      because: { message: expect.any(Number) },
    });
  });

  it("is none where a question is asked in other words", async () => {
    const { results } = await search({ query: "where are files opened?", path: folder(tree), minScore: 0 });
    expect(results.every(({ because }) => because.message === undefined)).toBe(true);
  });
});
