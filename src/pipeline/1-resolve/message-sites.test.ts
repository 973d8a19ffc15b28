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
  "app/config.go": `package app

func load(path string) error {
	if err := parse(path); err != nil {
		return fmt.Errorf("loading the config: %w", err)
	}
	return nil
}

func parse(path string) error {
	return fmt.Errorf("%s:%d: unknown directive: %s", path, line(), word())
}
`,
  "lib/codes.c": `const char *code_text(int code)
{
  switch(code) {
${Array.from({ length: 20 }, (_, i) => `  case CODE_${i}:\n    return "Problem of kind ${"abcdefghijklmnopqrst"[i]} with the host";`).join("\n")}
  case CODE_REACH:
    return "Could not reach the server";
  }
  return "Unknown code of a problem";
}
`,
  "lib/reach.c": `int reach(struct host *host)
{
  if(dial(host) < 0) {
    failf(host, "Failed to reach %s:%u after %ld ms: %s", host->name, host->port, since(host), code_text(CODE_REACH));
    return CODE_REACH;
  }
  return 0;
}
`,
  "config/locales/en.yml": `en:
${Array.from({ length: 60 }, (_, i) => `  label_${i}: "Label ${i}"`).join("\n")}
  failure: "Could not sign you in because %{reason}."
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
  it("finds who prints it before the table that the text of its code is from, and that table by its text alone", async () => {
    expect(await first("Failed to reach a.example:8080 after 2001 ms: Could not reach the server")).toBe(
      "lib/reach.c reach",
    );
    expect(await first("error: Could not reach the server")).toBe("lib/codes.c code_text");
  });

  it("finds what raises it, before its tests and what speaks of the same", async () => {
    const message = "The view function for 'index' did not return a valid response.";
    expect(await first(`TypeError: ${message}`)).toBe("app/views.py finalize");
    expect(await first(`why do I get "${message}"?`)).toBe("app/views.py finalize");
    const frames = '  File "/srv/main.py", line 3, in <module>\n    run()\n';
    expect(await first(`Traceback (most recent call last):\n${frames}TypeError: ${message}`)).toBe(
      "app/views.py finalize",
    );
  });

  it("leads to the class of the error and the lines that raise it where nothing here says it", async () => {
    const path = folder({
      "shop/errors.py": 'class RelayError(OSError):\n    """The relay failed."""\n',
      "shop/mail.py": `from .errors import RelayError

def send(relay, mail):
    """Sends mail by the pool of connections to the relay."""
    try:
        return relay.send(mail, port=25)
    except Refused as reason:
        raise RelayError(reason)
`,
    });
    const query = "shop.errors.RelayError: ConnectionPool(host='mail', port=25): Attempts exhausted for recipient";
    const { items } = await context({ query, path });
    expect(items[0]!.name).toBe("RelayError");
    expect(items[0]!.uses!.callers.map(({ path, line, text }) => `${path}:${line} ${text}`)).toEqual([
      "shop/mail.py:8 raise RelayError(reason)",
    ]);
  });

  it("is followed by the lines that raise its error where the class puts it together", async () => {
    const path = folder({
      "shop/errors.py": `class SoldOut(Exception):
    def __init__(self, article):
        super().__init__(f"There is nothing left of {article} in this store")
`,
      "shop/stock.py": `from .errors import SoldOut

def take(stock, article):
    if not stock.has(article):
        raise SoldOut(article)
`,
    });
    const { items } = await context({ query: "SoldOut: There is nothing left of socks in this store", path });
    expect(items[0]!.path).toBe("shop/errors.py");
    expect(items[0]!.uses!.callers.map(({ path, line }) => `${path}:${line}`)).toEqual(["shop/stock.py:5"]);
  });

  it("is followed by the lines that ask for its error, of a function that makes it or of a type in Go", async () => {
    const path = folder({
      "lib/runnable.js": `export function run(runnable, done) {
  if (runnable.duration > runnable.limit) {
    done(timeoutError(runnable.limit));
  }
}

function timeoutError(limit) {
  const text = \`Timeout of \${limit}ms exceeded. For async hooks, ensure that "done()" is called in the end.\`;
  return makeError(text, limit);
}

${filler("hook", 60).replaceAll("    ", "")}
`,
      "store/store.go": `package store

type ErrDirty struct {
	Version int
}

func (e ErrDirty) Error() string {
	return fmt.Sprintf("Dirty store version %v, which must be mended first.", e.Version)
}

func (s *Store) prepare() {
${filler("store", 60)}
}
`,
      "store/up.go": `package store

func (s *Store) Up() error {
	if s.dirty {
		return s.unlock(ErrDirty{s.version})
	}
	return nil
}
`,
    });
    const used = async (query: string) =>
      (await context({ query, path })).items[0]!.uses?.callers.map(({ path, line }) => `${path}:${line}`);
    expect(
      await used('Error: Timeout of 2000ms exceeded. For async hooks, ensure that "done()" is called in the end.'),
    ).toEqual(["lib/runnable.js:3"]);
    expect(await used("error: Dirty store version 12, which must be mended first.")).toEqual(["store/up.go:5"]);
  });

  it("is followed by the lines that use its text where a constant holds it", async () => {
    const root = folder({
      "log/texts.py": `ROOM_FREE = "Cleaning of room %(room)s is finished"
ROOM_TAKEN = "Cannot reserve room %(room)s: another guest has paid"
`,
      "log/writer.py": `from log.texts import ROOM_TAKEN

def taken(room):
    return {"msg": ROOM_TAKEN, "room": room}
`,
      "shop/errors.go": `package shop

var (
	// ErrSoldOut is returned when nothing is left.
	ErrSoldOut = errors.New("no such article left until the next delivery")
	ErrClosed  = errors.New("shop closed")
)
`,
      "shop/sale.go":
        "package shop\n\nfunc sell(left int) error {\n\tif left == 0 {\n\t\treturn ErrSoldOut\n\t}\n\treturn nil\n}\n",
    });
    const used = async (message: string) =>
      (await context({ path: root, query: message })).items[0]!.uses?.callers.map(
        ({ path, line, name }) => `${path}:${line} ${name}`,
      );
    expect(await used("ERROR: Cannot reserve room 12: another guest has paid")).toEqual(["log/writer.py:4 taken"]);
    expect(await used("Error: no such article left until the next delivery")).toEqual(["shop/sale.go:5 sell"]);
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

  it("is printed by the source: builds of it are not evidence", async () => {
    const body = `export function adapterFor(names) {
  if (names.length === 0) throw new Error("There is no suitable adapter to dispatch the request");
  return names[0];
}
`;
    const path = folder({
      "package.json": "{}",
      "lib/adapters.js": body,
      ...Object.fromEntries(
        ["dist/shop.js", "dist/esm/shop.js", "dist/node/shop.cjs"].map((name) => [
          name,
          `${body}//# sourceMappingURL=shop.js.map\n`,
        ]),
      ),
      ...Object.fromEntries(
        Array.from({ length: 6 }, (_, i) => [`lib/part${i}.js`, `export const part${i} = ${i};\n`]),
      ),
    });
    const pathsOf = async (query: string) => (await context({ path, query })).items.map((item) => item.path);
    expect(await pathsOf("Error: There is no suitable adapter to dispatch the request")).toEqual(["lib/adapters.js"]);
    expect(await pathsOf("adapterFor")).toEqual(["lib/adapters.js"]);
  });

  it("leads to what raised it, before those that wrapped it", async () => {
    const wrapped = "Error: loading the config: Appfile:12: unknown directive: revers";
    expect(await first(wrapped)).toBe("app/config.go parse");
    const { results } = await search({ query: wrapped, path: folder(tree), minScore: 0 });
    expect(results[1]!.name).toBe("load");
  });

  it("is found in a catalogue of messages, with its line in a small budget", async () => {
    const query = '{"error":"Could not sign you in because the password is wrong."}';
    expect(await first(query)).toBe("config/locales/en.yml en.yml");
    const { text } = await context({ query, path: folder(tree), maxTokens: 300 });
    expect(text).toContain('failure: "Could not sign you in because %{reason}."');
  });

  it("is told from a message that is nearly the same", async () => {
    const path = folder({
      "shop/Provider.cs": `class Provider {
  public Pipeline Get(string key) {
    throw new KeyNotFoundException($"Unable to find a pipeline with the key '{key}'. " +
      "Please register it.");
  }
  public Pipeline<T> Get<T>(string key) {
    if (found(key)) return pipelines[key];
    throw new KeyNotFoundException($"Unable to find a generic pipeline of '{typeof(T)}' with the key '{key}'. " +
      "Please register it.");
  }
}
`,
      "shop/other.cs": `class Other {\n${Array.from({ length: 60 }, (_, i) => `  int Key${i}() { return pipelines[${i}]; }`).join("\n")}\n}\n`,
    });
    const linesOf = async (query: string) => (await search({ query, path, types: ["method"] })).results[0]!.startLine;
    expect(await linesOf("KeyNotFoundException: Unable to find a pipeline with the key 'a'. Please register it.")).toBe(
      2,
    );
    expect(
      await linesOf(
        "KeyNotFoundException: Unable to find a generic pipeline of 'B' with the key 'a'. Please register it.",
      ),
    ).toBe(6);
  });

  it("is found where it ends in advice, at the end of a log, and with what runtimes put around it", async () => {
    const path = folder({
      "shop/load.ts": `export function load(url: string, file: string) {
  if (!known(url)) throw new Error(\`Failed to resolve import "\${url}" from "\${file}". Does the file exist?\`);
  return read(url);
}
`,
      "src/App.vue": "<template><p>shop</p></template>\n",
      "shop/limit.rb":
        "def check_limit(parts)\n  raise PartLimitError, 'Maximum total parts reached' if parts > 3\nend\n",
      "shop/served.rb": 'def request_served(ms)\n  log("request served in #{ms}")\nend\n',
      "shop/helper.cc":
        'void open(const char* name) {\n  throw failure("Failed opening file " + name + " for writing", errno);\n}\n',
      "shop/failure.cc": "const char* failure::what() const { return msg_.c_str(); }\n",
    });
    const pathOf = async (query: string) => (await context({ query, path })).items[0]!.path;
    const advice = 'Failed to resolve import "./Foo.vue" from "src/App.vue". Does the file exist?';
    expect(await pathOf(advice)).toBe("shop/load.ts");
    expect(await pathOf(`[shop] Internal server error: ${advice}`)).toBe("shop/load.ts");
    const log = Array.from({ length: 500 }, (_, i) => `2026-01-01 10:00:07 INFO request ${i} served in ${i}ms`).join(
      "\n",
    );
    expect(await pathOf(`${log}\nShop::PartLimitError: Maximum total parts reached`)).toBe("shop/limit.rb");
    expect(await pathOf(`${log.repeat(5)}\nShop::PartLimitError: Maximum total parts reached`)).toBe("shop/limit.rb");
    expect(await pathOf("2026-01-01 10:00:07 INFO request served in 12ms")).toBe("shop/served.rb");
    const terminated = "terminate called after throwing an instance of 'failure'";
    expect(await pathOf(`${terminated}\n  what():  Failed opening file a.txt for writing: No such file`)).toBe(
      "shop/helper.cc",
    );
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

  it("has that line in a small budget too, where all lines with words of the message do not fit", async () => {
    const steps = Array.from(
      { length: 60 },
      (_, i) => `    if missing_coordinates[${i}] is None: order_datasets(dimension, coordinates[${i}])`,
    );
    const path = folder({
      "app/combine.py": `def infer(datasets):\n${steps.join("\n")}\n    if not found:\n        raise ValueError("Could not find any dimension coordinates to order the datasets")\n    return found\n`,
    });
    const query = "ValueError: Could not find any dimension coordinates to order the datasets";
    const { text } = await context({ query, path, maxTokens: 300 });
    expect(text).toContain('raise ValueError("Could not find any dimension coordinates');
    expect(text).toContain("def infer(datasets)");
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

it("is compared with the project's own name in it", async () => {
  const root = folder({
    "package.json": '{ "name": "shelf" }',
    "src/root.ts":
      "export function activeShelf() {\n  // active shelf: the shelf that is active, called before a store\n  return current;\n}\n",
    "src/store.ts":
      'export function useStore(shelf) {\n  if (!shelf) {\n    throw new Error(\'"activeShelf()" was called but there was no active shelf. Did you use it before "app.use(shelf)"?\');\n  }\n  return shelf;\n}\n',
  });
  const query = '"activeShelf()" was called but there was no active shelf. Did you use it before "app.use(shelf)"?';
  const { results } = await search({ query, path: root, minScore: 0 });
  expect(results[0]).toMatchObject({ name: "useStore" });
});
