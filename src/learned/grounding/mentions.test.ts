import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CodeMention, mentionsOf } from "./mentions.ts";

const mentioned = (text: string) => mentionsOf(text).map(({ kind, name }) => `${kind} ${name}`);
const sure = (text: string) => mentionsOf(text).flatMap(({ name, sure }) => (sure ? [name] : []));

describe("paths in a text", () => {
  it("are found with and without folders, lines and back-ticks", () => {
    expect(mentioned("See src/a.ts, `utils.py:12`, a.go:3:7, ./x/ and docs/guide.md#L40.")).toEqual([
      "path src/a.ts",
      "path utils.py",
      "path a.go",
      "path x/",
      "path docs/guide.md",
    ]);
    expect(mentionsOf("`utils.py:12`")[0]).toMatchObject({ written: "utils.py:12", line: 12 });
  });

  it("are found as Windows writes them", () => {
    expect(mentioned("src\\app\\main.ts and .\\tools\\x.ps1 but not \\d+\\w")).toEqual([
      "path src/app/main.ts",
      "path tools/x.ps1",
    ]);
  });

  it("may have brackets, as routes have", () => {
    expect(mentioned("`app/[id]/page.tsx`")).toEqual(["path app/[id]/page.tsx"]);
  });

  it("are not dates, fractions, addresses, globs or words with a slash", () => {
    const text =
      "and/or 24/7 2024/05/03 TCP/IP n/a https://x.org/src/a.ts me@x.org www.x.org/a.html src/**/*.ts origin/main";
    expect(mentioned(text)).toEqual([]);
  });

  it("are not products that end like a file", () => {
    expect(mentioned("Node.js, Vue.js, next.js and docs.rs")).toEqual([]);
  });

  it("are not certain where they may be a branch, a package or a property", () => {
    expect(sure("`feature/login` `@types/node` `response.json` `Makefile` a/b/c ~/notes/x.md")).toEqual([]);
    expect(sure("`./build/` src/x/y.json main.rs")).toEqual(["build/", "src/x/y.json", "main.rs"]);
  });
});

describe("symbols in a text", () => {
  it("are back-ticked, snake_case, camelCase, dotted or called", () => {
    const text =
      "processPayment() then charge_card, `Order`, `Cart.total`, Foo::bar(), retryLimit's value and `pay(order, card)`";
    expect(mentioned(text)).toEqual([
      "symbol processPayment",
      "symbol charge_card",
      "symbol Order",
      "symbol Cart.total",
      "symbol Foo.bar",
      "symbol retryLimit",
      "symbol pay",
    ]);
  });

  it("are not English, products, acronyms, places or domains", () => {
    const text =
      "We use PostgreSQL, GitHub and JavaScript on macOS. APIs, URLs and IDs in en_US on x86_64 at example.com. It works.";
    expect(mentioned(text)).toEqual([]);
  });

  it("are not certain where they may be a brand, a plain word or a setting of the environment", () => {
    expect(sure("PaymentGateway `main` DATABASE_URL `DATABASE_URL` done.Then `std::vec`")).toEqual([]);
    expect(sure("`PaymentGateway` fooBar a_b foo()")).toEqual(["PaymentGateway", "fooBar", "a_b", "foo"]);
  });

  it("are not certain in code that was pasted", () => {
    const text = "```\nconst fooBar = 1\nsrc/a/b.ts\n```\nbazQux";
    expect(sure(text)).toEqual(["src/a/b.ts", "bazQux"]);
  });
});

describe("commands in a text", () => {
  const commands = (text: string) =>
    mentionsOf(text).flatMap(({ command }) => (command ? [`${command.runs}: ${command.name}`] : []));

  it("are found in back-ticks and in sentences", () => {
    expect(
      commands("Run npm run build, `make test`, `yarn lint` and `pnpm run x --fix`; npx vitest, cargo test."),
    ).toEqual([
      "package-script: npm run build",
      "make-target: make test",
      "package-script: yarn lint",
      "package-script: pnpm run x",
      "other: npx vitest",
      "other: cargo test",
    ]);
    expect(commands("python manage.py migrate, ./scripts/x.sh and `node tools/a.mjs --all`")).toEqual([
      "script-file: python manage.py",
      "script-file: ./scripts/x.sh",
      "script-file: node tools/a.mjs",
    ]);
  });

  it("are read one by one, without flags, settings and what they are told", () => {
    expect(commands("`cd web && CI=1 npm run -s build:prod -- --fast | tee out.log`")).toEqual([
      "other: cd web",
      "package-script: npm run build:prod",
    ]);
    expect(commands("`npm --prefix web run e2e` `make -C lib -j 4 V=1 all` `npm run-script x -w pkg`")).toEqual([
      "package-script: npm run e2e",
      "make-target: make all",
      "package-script: npm run x",
    ]);
  });

  it("are not the English word make", () => {
    expect(commands("make sure to make tests pass, and make it fast")).toEqual([]);
    expect(commands("then run make deps first")).toEqual(["make-target: make deps"]);
  });

  it("keep what they are given from being taken for names", () => {
    expect(mentioned("`git checkout feature/some_branch` and `cargo test my_case`")).toEqual([
      "command git checkout feature/some_branch",
      "command cargo test my_case",
    ]);
  });
});

function isSound({ name, written }: CodeMention): boolean {
  return name.trim() !== "" && name.length <= 400 && written !== "";
}

describe("mentions", () => {
  it("know when the sentence says itself that something is no more", () => {
    const past = (text: string) => mentionsOf(text).flatMap(({ name, past }) => (past ? [name] : []));
    expect(past("src/old.ts was removed. src/new.ts does its work.")).toEqual(["src/old.ts"]);
    expect(past("`fooBar` is fast. Later `fooBar` was renamed.")).toEqual(["fooBar"]);
  });

  it("come once each, in order, and at most 30", () => {
    expect(mentioned("src/a.ts and src/a.ts and ./src/a.ts")).toEqual(["path src/a.ts"]);
    const many = Array.from({ length: 100 }, (_, index) => `src/f${index}.ts`).join(" ");
    expect(mentionsOf(many)).toHaveLength(30);
  });

  it("are written in the text, and neither empty nor endless", () => {
    const token = fc.oneof(
      fc.constantFrom(
        "`",
        "```\n",
        "src/a.ts",
        "npm run x",
        "fooBar()",
        "./",
        "\\",
        "a.b",
        "make t",
        "\n",
        " ",
        ":12",
        "'s",
        "(",
        ")",
      ),
      fc.constantFrom("é", "日本", "\u0000", "\ud800", "👩‍🔬"),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        const mentions = mentionsOf(tokens.join(""));
        return mentions.length <= 30 && mentions.every(isSound);
      }),
      { numRuns: 60 },
    );
  });

  it("are read from a megabyte of anything in time that grows with its length", () => {
    const time = (text: string) => {
      const began = process.cpuUsage();
      mentionsOf(text);
      return process.cpuUsage(began).user;
    };
    for (const unit of [
      "a",
      "`",
      "a.",
      "a/",
      "aB",
      "_",
      "`a ",
      "./",
      "a b ",
      "\\",
      "npm run ",
      "a\n",
      "```\n",
      "(",
      "a()",
    ]) {
      const of = (size: number) => unit.repeat(Math.ceil(size / unit.length));
      time(of(10_000));
      const [some, much] = [time(of(25_000)), time(of(1_000_000))];
      expect(much, JSON.stringify(unit)).toBeLessThan(15 * some + 100_000);
    }
  });
});
