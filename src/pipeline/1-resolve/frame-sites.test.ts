import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { context, search } from "../../index.ts";

const steps = (count: number) =>
  Array.from({ length: count }, (_, i) => `        step_${i} = prepare(${i})`).join("\n");
const tree = {
  "store/files.py": `class Files:
    def open(self, path):
        self.check(path)
        return path

    def check(self, path):
${steps(120)}
        raise Missing(path)
`,
  "store/missing.py": `class Missing(Exception):
    def __init__(self, path):
        super().__init__("there is no such path as %s" % path)
`,
  "store/other.py": `def open(path):
    """Opens a path in another way."""
    return path
`,
  "lib/index.js": "export function unrelated() {\n  return 1;\n}\n",
  "src/main/java/com/acme/Store.java": `package com.acme;

class Store {
  void open(String path) {
    throw new IllegalStateException(path);
  }
}
`,
  "src/main/java/com/other/Store.java": `package com.other;

class Store {
  void open(String path) {
    close(path);
  }
}
`,
};
const raised = 126;
const python = `Traceback (most recent call last):
  File "/srv/app/main.py", line 3, in <module>
    files.open("a")
  File "/usr/lib/python3/site-packages/store/files.py", line 3, in open
    self.check(path)
  File "/usr/lib/python3/site-packages/store/files.py", line ${raised + 1}, in check
    raise Missing(path)
store.missing.Missing: there is no such path as a`;

async function found(query: string) {
  const { results } = await search({ query, path: folder(tree), minScore: 0 });
  return results.map(({ path, name }) => `${path} ${name}`);
}

describe("a pasted stack trace", () => {
  it("leads to what raised the error, then to what says it, then to those that called it", async () => {
    expect((await found(python)).slice(0, 3)).toEqual([
      "store/files.py check",
      "store/missing.py __init__",
      "store/files.py open",
    ]);
    expect((await found(`why do I get this?\n\n${python}`))[0]).toBe("store/files.py check");
  });

  it("has the raising line in the answer, in a small budget too", async () => {
    for (const maxTokens of [300, 1000, 4000]) {
      const { items, text } = await context({ query: python, path: folder(tree), maxTokens });
      expect(items[0]).toMatchObject({ path: "store/files.py" });
      expect(text).toContain("raise Missing(path)");
    }
  });

  it("finds a function by its name where its lines are others now", async () => {
    const older = python.replace(`line ${raised + 1}, in check`, "line 900, in check");
    expect((await found(older))[0]).toBe("store/files.py check");
  });

  it("tells files of one name apart by their package", async () => {
    const java = (line: string) =>
      `java.lang.IllegalStateException: a\n\tat ${line}\n\tat com.acme.Main.main(Main.java:3)`;
    expect((await found(java("com.acme.Store.open(Store.java:5)")))[0]).toBe("src/main/java/com/acme/Store.java open");
    expect((await found(java("com.other.Store.open(Store.java:5)")))[0]).toBe(
      "src/main/java/com/other/Store.java open",
    );
  });

  it("takes no frame of an installed package for a file of the same name", async () => {
    const foreign = "Error: x\n    at connect (/srv/node_modules/other/lib/index.js:2:3)";
    const { results } = await search({ query: foreign, path: folder(tree), minScore: 0 });
    expect(results.every(({ because }) => because.frame === undefined)).toBe(true);
  });

  it("leads from a built file of a package to its source, by the function", async () => {
    const built = folder({
      "packages/client/lib/client/index.ts": `export class Client {
  #write(args: string[]) {
    if (!this.isOpen) return Promise.reject(new ClosedError());
    return args;
  }

  sendCommand(args: string[]) {
    return this.#write(args);
  }
}
`,
      "packages/client/lib/errors.ts": `export class ClosedError extends Error {
  constructor() {
    super("The client is closed");
  }
}
`,
      "packages/search/lib/client/index.ts": "export function query() {\n  return 1;\n}\n",
      "scripts/node_modules.mjs": "// dist lib client index js node_modules\nexport const dist = 1;\n",
    });
    const at = (name: string, line: number, file = "dist/lib/client/index.js") =>
      `    at ${name} (/home/a/shop/node_modules/@acme/client/${file}:${line}:21)\n`;
    for (const file of [
      "dist/lib/client/index.js",
      "dist/esm/lib/client/index.mjs",
      "build/cjs/lib/client/index.cjs",
    ]) {
      const query = `ClosedError: The client is closed\n${at("Client._Client_write", 893, file)}${at("Client.sendCommand", 512, file)}    at getCart (/home/a/shop/src/cart.js:12:30)`;
      const { results } = await search({ query, path: built, minScore: 0 });
      const names = results.map(({ path, name }) => `${path} ${name}`);
      expect(names.slice(0, 3), file).toEqual([
        "packages/client/lib/client/index.ts write",
        "packages/client/lib/errors.ts constructor",
        "packages/client/lib/client/index.ts sendCommand",
      ]);
    }
    // Another function is another file, whatever its path.
    const foreign = await search({ query: `Error: x\n${at("connect", 3)}`, path: built, minScore: 0 });
    expect(foreign.results.every(({ because }) => because.frame === undefined)).toBe(true);
  });

  it("has the lines of its frames where the function that raised the error would take all the room", async () => {
    const lines = (name: string, count: number) =>
      Array.from({ length: count }, (_, i) => `\tscreen.${name}${i} = draw(view, ${i}, "${name} ${i}")`).join("\n");
    const path = folder({
      "screen/flush.go": `package screen

func (s *Screen) flush(view View) error {
${lines("first", 110)}
	s.lines = s.lines[view.height-s.height:]
${lines("second", 30)}
	return nil
}
`,
      "program.go": `package program

func (p *Program) startRenderer() {
	for range p.ticker {
		_ = p.screen.flush(p.view)
	}
}
`,
    });
    const trace = `panic: runtime error: index out of range [3] with length 3

goroutine 34 [running]:
example.com/tui/screen.(*Screen).flush(0xc0001a4000, 0x0)
	/home/me/screen/flush.go:114 +0x1c4
example.com/tui.(*Program).startRenderer(...)
	/home/me/program.go:5 +0x8c`;
    const { text } = await context({ path, query: trace, maxTokens: 2200 });
    expect(text).toContain("s.lines = s.lines[view.height-s.height:]");
    expect(text).toContain("_ = p.screen.flush(p.view)");
  });
});
