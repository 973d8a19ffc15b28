import { describe, expect, it } from "vitest";
import { analyseQuery } from "./query.ts";

const terms = (text: string) => analyseQuery(text).terms.map(({ term }) => term);

describe("a question about history", () => {
  it.each([
    "why was the retry limit changed?",
    "when did we drop Python 2",
    "who introduced the cache",
    "the commit that renamed Session",
    "which regression broke login",
    "why do we retry twice?",
    "what is the history of the parser?",
    "what changed in depfile parsing recently?",
    "what has changed in the parser?",
    "latest changes to the cookie jar",
    "which options were recently added?",
  ])("is recognised: %s", (text) => {
    expect(analyseQuery(text).wantsHistory).toBe(true);
  });

  it.each([
    "how is the retry limit enforced?",
    "change password view",
    "login fails after a while",
    "how is the history of queries saved",
    "where are commits read?",
    "how is the last change of a file found?",
    "what happens when a setting is changed?",
  ])("is not: %s", (text) => {
    expect(analyseQuery(text).wantsHistory).toBe(false);
  });
});

describe("analyseQuery", () => {
  it("reads a line that looks like the environment of a report where it is all there is", () => {
    expect(terms("node: ../src/stream.c:456: uv__stream_destroy: Assertion failed")).toContain("uv__stream_destroy");
    expect(terms("login fails\n\nnode: v20")).not.toContain("v20");
  });

  it("tells identifiers, paths, stack traces, questions and issues apart", () => {
    expect(analyseQuery("processPayment").shape).toBe("identifier");
    expect(analyseQuery("src/views/base.py").shape).toBe("path");
    expect(analyseQuery("base.py:12").shape).toBe("path");
    expect(analyseQuery("how are sessions stored?").shape).toBe("question");
    expect(analyseQuery('Traceback (most recent call last):\n  File "a/b.py", line 3, in f\nKeyError: 1').shape).toBe(
      "stack-trace",
    );
    expect(analyseQuery("TypeError: x is not a function\n    at run (/srv/app/src/run.js:10:5)").shape).toBe(
      "stack-trace",
    );
    expect(analyseQuery(`Title\n\n${"some words about it ".repeat(20)}`).shape).toBe("issue");
  });

  it("finds the file and line of each frame", () => {
    const { paths } = analyseQuery(
      'Traceback (most recent call last):\n  File "/usr/lib/app/core/b.py", line 31, in f\nKeyError',
    );
    expect(paths).toContainEqual({ path: "/usr/lib/app/core/b.py", line: 31 });
    expect(analyseQuery("boom\n    at run (/srv/app/src/run.js:10:5)").paths).toContainEqual({
      path: "/srv/app/src/run.js",
      line: 10,
    });
  });

  it("reads a permalink to a line as its place", () => {
    const { paths } = analyseQuery(
      "Wrong ticks\n\nSee https://github.com/me/shop/blob/3f2a91c/shop/ticks.py#L10-L20) and https://gitlab.com/me/shop/-/blob/main/web/cart.ts?plain=1#L7.\n",
    );
    expect(paths).toContainEqual({ path: "3f2a91c/shop/ticks.py", line: 15 });
    expect(paths).toContainEqual({ path: "main/web/cart.ts", line: 7 });
    expect(analyseQuery("https://github.com/me/shop/blob/main/shop/ticks.py").shape).toBe("path");
    expect(analyseQuery("It is told in https://example.org/blob/about/us?page=2").paths).toEqual([]);
  });

  it("takes a method call for a name, not for a path", () => {
    const query = analyseQuery("why does request.user fail in `Model.save()`?");
    expect(query.paths).toEqual([]);
    expect(query.names.map(({ name }) => name)).toEqual(expect.arrayContaining(["request.user", "Model.save"]));
  });

  it("weighs the title above prose, and prose above a pasted traceback", () => {
    const { terms } = analyseQuery(
      'Widget breaks\n\nThe gadget too.\n\nTraceback (most recent call last):\n  File "x.py", line 1, in frobnicate',
    );
    const weight = (term: string) => terms.find((each) => each.term === term)?.weight ?? 0;
    expect(weight("widget")).toBeGreaterThan(weight("gadget"));
    expect(weight("gadget")).toBeGreaterThan(weight("frobnic"));
    expect(weight("frobnic")).toBeGreaterThan(0);
  });

  it("ignores the environment section of a report", () => {
    expect(terms("Crash on save\n\nIt fails.\n\nPython version: 3.11\nOS: Linux")).not.toContain("linux");
  });

  it("hardly counts what stands under a heading about the environment, up to the next one, and asks for no name in it", () => {
    const report = (heading: string) =>
      `Crash on save\n\nIt fails.\n\n${heading}\n\n<details>\n\nINSTALLED VERSIONS\n\n\`\`\`\nlib_zarr: 2.4.0\n\`\`\`\n</details>\n\nThe gadget too.\n`;
    const weight = (text: string, term: string) =>
      analyseQuery(text).terms.find((each) => each.term === term)?.weight ?? 0;
    const isNamed = (text: string) => analyseQuery(text).names.some(({ name }) => name === "lib_zarr");
    for (const heading of [
      "### Environment",
      "**Environment info**",
      "## System Information",
      "#### Output of ``shop.show_versions()``",
      "<details><summary>Versions</summary>",
    ]) {
      expect(weight(report(heading), "zarr")).toBeLessThan(weight(report(heading), "gadget") / 5);
      expect(isNamed(report(heading))).toBe(false);
    }
    expect(isNamed(report("### What another version of the same call said before"))).toBe(true);
    expect(weight("# Environment of a zarr store is lost", "zarr")).toBeGreaterThan(0.4);
    const headed = "Crash\n\n### Environment\n\nzarr\n\n### Expected\n\nno gadget";
    expect(weight(headed, "gadget")).toBeGreaterThan(5 * weight(headed, "zarr"));
  });

  it("reads a commit that git log printed as its message", () => {
    const log =
      "commit 0123456789abcdef0123456789abcdef01234567\nAuthor: Ann <ann@example.org>\nDate:   Mon\n\n    Retry uploads\n\n    They failed.\n";
    expect(terms(log)).toEqual(terms("Retry uploads\n\nThey failed."));
  });

  it("keeps the mark of a name that may be a part of it, and not the one that ends a sentence", () => {
    const marked = (text: string) => analyseQuery(text).names.flatMap(({ marked = [] }) => marked);
    expect(marked("route!")).toEqual(["route!"]);
    expect(marked("what does route! do?")).toEqual(["route!"]);
    expect(marked("where is `valid?` defined")).toEqual(["valid?"]);
    expect(marked("how is a basket valid?")).toEqual([]);
    expect(analyseQuery("what does route! do?").asked).toEqual(["route"]);
  });

  it("takes a notion for no name, and a name for one", () => {
    expect(analyseQuery("what is a blueprint").asked).toEqual([]);
    expect(analyseQuery("what are collections").asked).toEqual([]);
    expect(analyseQuery("what is dedupe").asked).toEqual(["dedupe"]);
    expect(analyseQuery("what is a RetryPolicy").asked).toEqual(["RetryPolicy"]);
  });

  it("keeps stop words when there is nothing else", () => {
    expect(terms("what is it about")).toContain("about");
  });

  it.each([
    "which tests cover the parser?",
    "cookie jar tests",
    "end-to-end tests",
    "cookie jar test",
    "what test cases are there?",
    "where are the tests for redirects in the session of the client?",
    "how is the retry of a failed upload tested when the server closes the connection early?",
    "what is the test coverage of the part that parses the headers of a chunked response?",
    "how do I test a view that needs a logged-in user and a database?",
  ])("knows that tests are asked for: %s", (text) => {
    expect(analyseQuery(text).wantsTests).toBe(true);
  });

  it.each([
    "how is the parser called?",
    // A setting that has the word in its name.
    "--fail-hook-affected-tests",
    "what does skip_slow_tests do?",
    // What is used in tests is no test.
    "how does the test client run the app?",
    "where is the test server started?",
    // A test that is only described: the answer is the code that it tests.
    "What is the dependency chain in the test function that verifies subdomain routing through configuration and route registration?",
    "How does the Skip class integrate with the mark evaluation framework to determine when a test should be skipped?",
    "Why does the tmpdir fixture convert its path, and what breaks if that conversion fails silently?",
  ])("knows that tests are not asked for: %s", (text) => {
    expect(analyseQuery(text).wantsTests).toBe(false);
  });

  it("survives any text quickly", () => {
    for (const text of [
      "a/".repeat(50_000),
      "`".repeat(50_000),
      "x".repeat(200_000),
      " \n".repeat(50_000),
      "a.".repeat(50_000),
    ]) {
      expect(analyseQuery(text).text).toBe(text);
    }
  });
});

describe("a query that is only a path", () => {
  it.each(["src/cart/total.ts", "what does src/cart/total.ts do?", "explain src/cart/total.ts"])(
    "is recognised: %s",
    (text) => {
      expect(analyseQuery(text).onlyPaths).toBe(true);
    },
  );

  it.each(["how is tax rounded in src/cart/total.ts", "total", "how are totals rounded?"])("is not: %s", (text) => {
    expect(analyseQuery(text).onlyPaths).toBe(false);
  });
});

it("does not take the lock file of a package manager for a member called lock", () => {
  expect(analyseQuery("how does it decide that composer.lock is out of date?").asked).toEqual([]);
  expect(analyseQuery("what does mutex.lock do?").asked).toEqual(["mutex.lock"]);
});
