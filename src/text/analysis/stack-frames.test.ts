import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stackTrace } from "./stack-frames.ts";

const places = (text: string) =>
  stackTrace(text)?.errors.map((frames) =>
    frames.map(({ path, line, name }) => `${path}:${line}${name ? ` ${name}` : ""}`),
  );

describe("a stack trace", () => {
  it.each([
    [
      "Python, the last frame raised it",
      'Traceback (most recent call last):\n  File "/app/a.py", line 3, in <module>\n    run()\n  File "/app/b.py", line 9, in run\n    raise E\nE: text',
      ["/app/b.py:9 run", "/app/a.py:3"],
    ],
    [
      "Node",
      "Error: text\n    at async Store.open (file:///app/lib/store.js:12:5)\n    at Object.<anonymous> (/app/x y/main.js:3:1)\n    at node:internal/main:2:3",
      ["app/lib/store.js:12 open", "/app/x y/main.js:3"],
    ],
    [
      "bundlers",
      "Error: text\n    at run (webpack:///./src/a.ts?:7:2)\n    at go (webpack-internal:///(rsc)/./src/b.tsx:8:2)",
      ["src/a.ts:7 run", "src/b.tsx:8 go"],
    ],
    [
      "Java",
      "E: text\n\tat com.acme.Foo$Bar.open(Foo.java:12)\n\tat java.base/java.lang.Thread.run(Thread.java:8)\n\tat com.acme.Foo.lambda$go$0(Foo.java:5)",
      ["com/acme/Foo.java:12 open", "java/lang/Thread.java:8 run", "com/acme/Foo.java:5"],
    ],
    [
      "Go",
      "panic: text\n\ngoroutine 1 [running]:\nacme.com/app/store.(*Store).open(0xc0, {0x1, 0x2})\n\t/src/app/store/store.go:12 +0x1d\nmain.main()\n\t/src/app/main.go:5 +0x2",
      ["/src/app/store/store.go:12 open", "/src/app/main.go:5"],
    ],
    [
      "Rust",
      "thread 'main' panicked at src/a.rs:9:5:\ntext\nstack backtrace:\n   0: app::store::Store::open::h0123456789abcdef\n             at ./src/b.rs:3:5",
      ["src/a.rs:9", "src/b.rs:3 open"],
    ],
    [
      "Ruby",
      "/app/a.rb:3:in `open': text (E)\n\tfrom /app/b.rb:4:in 'block (2 levels) in Foo#run'",
      ["/app/a.rb:3 open", "/app/b.rb:4 run"],
    ],
    [
      "PHP, which names what is called",
      "PHP Fatal error:  Uncaught E: text in /app/a.php:9\nStack trace:\n#0 /app/b.php(4): Foo\\Bar->open()\n#1 {main}\n  thrown in /app/a.php on line 9",
      ["/app/a.php:9 open", "/app/b.php:4"],
    ],
    [
      "C#",
      "E: text\n   at Acme.Foo.Open(String[] a) in C:\\build\\src\\Foo.cs:line 12\n   at Acme.Program.Main() in /_/src/Program.cs:line 3",
      ["C:/build/src/Foo.cs:12 Open", "/_/src/Program.cs:3"],
    ],
    [
      "Elixir",
      "** (E) text\n    (app 0.1.0) lib/app/store.ex:12: App.Store.open/2\n    lib/app.ex:3: anonymous fn/1 in App.run/0",
      ["lib/app/store.ex:12 open", "lib/app.ex:3 run"],
    ],
    [
      "gdb and sanitizers",
      "#0  0x00007f in open_store (s=0x0) at src/store.c:12\n    #1 0x4f in main /src/app/main.c:3:5",
      ["src/store.c:12 open_store", "/src/app/main.c:3"],
    ],
    [
      "pytest",
      "tests/test_a.py:3: in test_open\n    open()\nsrc/a.py:9: in open\n    raise E\nE   acme.E: text",
      ["src/a.py:9 open", "tests/test_a.py:3 test_open"],
    ],
  ])("is read as %s prints it", (_, text, expected) => {
    expect(places(text)).toEqual([expected]);
  });

  it("begins with its first cause, and with what went wrong at last", () => {
    const java =
      "E: a\n\tat app.A.run(A.java:1)\nCaused by: F: b\n\tat app.B.run(B.java:2)\n\t... 3 more\nCaused by: G: c\n\tat app.C.go(C.java:3)";
    expect(places(java)).toEqual([["app/C.java:3 go"], ["app/B.java:2 run"], ["app/A.java:1 run"]]);
    const python =
      'Traceback (most recent call last):\n  File "a.py", line 1, in a\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "b.py", line 2, in b\nE: text';
    expect(places(python)).toEqual([["b.py:2 b"], ["a.py:1 a"]]);
  });

  it("is read in colours, with any line ends, and in a field of JSON", () => {
    expect(places("Error: text\r\n\u001b[90m    at run (/app/a.js:3:1)\u001b[39m\r\n")).toEqual([["/app/a.js:3 run"]]);
    expect(
      places(JSON.stringify({ stacktrace: 'Traceback (most recent call last):\n  File "/a.py", line 3, in run' })),
    ).toEqual([["/a.py:3 run"]]);
    expect(places('{"msg":"no","err":{"stack":"Error: no\\n    at run (/app/a.js:3:1)"}}')).toEqual([
      ["/app/a.js:3 run"],
    ]);
  });

  it("says where installed packages begin, for their frames may be ours", () => {
    const [[frame] = []] = stackTrace("Error: x\n    at a (/srv/node_modules/@acme/lib/src/a.js:1:2)")!.errors;
    expect(frame!.installed).toBe("/srv/node_modules/@acme/lib");
  });

  it("is alone beside a short question, and not in a report", () => {
    const trace = "Error: text\n    at run (/app/a.js:3:1)";
    expect(stackTrace(`why do I get this?\n${trace}`)!.alone).toBe(true);
    expect(stackTrace(`${"The store fails when it is opened twice by two users. ".repeat(8)}\n${trace}`)!.alone).toBe(
      false,
    );
  });

  it.each(["how are frames read?", "see src/a.ts:12", "fix lib/a.rb:3 and lib/b.rb:4", "a: b: c", ""])(
    "is none: %s",
    (text) => {
      expect(stackTrace(text)).toBeUndefined();
    },
  );

  it("takes time in proportion to the text, whatever that is", () => {
    const unit = fc.constantFrom(
      "at ",
      "a",
      "(",
      ")",
      ".js",
      ":1",
      ":line 2",
      " in ",
      "#1 ",
      "0x1 ",
      "/",
      "\n",
      "'",
      "from ",
    );
    const timeOf = (text: string) => {
      const start = performance.now();
      stackTrace(text);
      return performance.now() - start;
    };
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 12 }), (units) => {
        const text = units.join("");
        expect(timeOf(text.repeat(Math.ceil(100_000 / text.length)))).toBeLessThan(3_000);
      }),
      { numRuns: 60 },
    );
  });
});
