import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageTemplates } from "./message-literals.ts";
import { matchMessage, matchWrapped } from "./message-match.ts";
import { pastedMessages, withoutPrefix, wordPairs, wrappedTexts } from "./pasted-messages.ts";

const texts = (query: string) => pastedMessages(query).map(({ text }) => text);

describe("what a program may have printed", () => {
  it.each([
    ["ValueError: Unknown format code 'x' for object", "Unknown format code 'x' for object"],
    ["django.core.exceptions.SuspiciousOperation: Unexpected element found", "Unexpected element found"],
    ["TypeError [ERR_BAD]: Unexpected element found", "Unexpected element found"],
    ["ERROR 2024-01-01 12:00:03 worker: could not open /tmp/a.txt", "could not open /tmp/a.txt"],
    ["2024-01-01T12:00:03.120Z [main] WARN app[12]: could not open /tmp/a.txt", "could not open /tmp/a.txt"],
    ["Jan  3 12:00:03 host sshd: could not open /tmp/a.txt", "host sshd: could not open /tmp/a.txt"],
    ["Uncaught TypeError: could not open a.txt", "could not open a.txt"],
    ["[json.exception.type_error.316] invalid byte at index 1", "invalid byte at index 1"],
    ["[Composer\\Downloader\\TransportException] could not open a.txt", "could not open a.txt"],
    ["panic: could not open a.txt", "could not open a.txt"],
    ["2024-01-01T12:00:03.120Z pid=47 tid=ov1 WARN: could not open a.txt", "could not open a.txt"],
    ["could not open: no such file", "could not open: no such file"],
  ])("begins after its prefix: %s", (line, message) => {
    expect(withoutPrefix(line).rest).toBe(message);
  });

  it("is what follows the class of an error in brackets, and not a list in brackets", () => {
    expect(texts("[range_error.3] invalid byte at index 1")).toEqual(["invalid byte at index 1"]);
    expect(texts("[worker] could not open the file")).toEqual(["[worker] could not open the file"]);
  });

  it("is a line without a question, or what a question quotes", () => {
    expect(texts("could not open the file")).toEqual(["could not open the file"]);
    expect(texts("Can't nest multi transaction")).toEqual(["Can't nest multi transaction"]);
    expect(texts("how does the parser open a file?")).toEqual([]);
    expect(texts("where is the budget enforced")).toEqual([]);
    expect(texts('why do I get "could not open the file"?')).toEqual(["could not open the file"]);
    expect(texts('what is "open file" for?')).toEqual([]);
    expect(texts("does `open` take what comes from `read`?")).toEqual([]);
    expect(texts("parse_file")).toEqual([]);
    expect(texts("src/a.ts")).toEqual([]);
  });

  it("is all of the query, though it begins and ends with words in quotes", () => {
    const [message] = pastedMessages('"open()" was called without a shelf. Call it before "app.use(shop)"?');
    expect(message).toMatchObject({ alone: true });
    expect(pastedMessages('who prints "could not open the file"')[0]).toMatchObject({ alone: false });
  });

  it("is what the fields of JSON and of logfmt say", () => {
    expect(texts('{"level":50,"pid":3,"msg":"could not open the \\"a\\" file"}')).toEqual([
      'could not open the "a" file',
    ]);
    expect(texts('{\n  "statusCode": 400,\n  "message": "could not open the file"\n}')).toEqual([
      "could not open the file",
    ]);
    expect(texts('time=12:00 level=warn msg="could not open the file" path=a')).toEqual(["could not open the file"]);
    expect(texts('{"error":{"code":5,"description":"there is no such stream"}}')).toEqual(["there is no such stream"]);
  });

  it("is read through the colours of a terminal", () => {
    expect(texts("\u001b[31m[app error]\u001b[0m: could not open the file")).toEqual([
      "[app error]: could not open the file",
    ]);
  });

  it("may wrap another, which begins after a colon; what the system says is nobody's", () => {
    const wrapped = (query: string) => pastedMessages(query).flatMap(wrappedTexts);
    expect(wrapped("Error: loading config: reading a.yml: there is no such key")).toEqual([
      "reading a.yml: there is no such key",
      "there is no such key",
    ]);
    expect(wrapped("reading the config: permission denied")).toEqual([]);
  });

  it("has the word pairs of its literal, whatever was filled in around them", () => {
    const pairs = wordPairs(pastedMessages("[app error]: '/etc' is a directory."));
    expect(pairs).toEqual(expect.arrayContaining(["is a", "a directory"]));
    expect(wordPairs(pastedMessages("Error: in a.conf: unknown directive: revers"))).toContain("unknown directive");
  });

  it("is the last line of a traceback, and the log line of a report", () => {
    const traceback =
      'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    go()\nKeyError: no such key here';
    expect(texts(traceback)).toEqual(["no such key here"]);
    const report =
      "The service stops after some time.\n\nWe use it since May.\n\n```\n2024-01-01 12:00:03,120 ERROR worker: could not open it\nx = 1;\n```\n";
    expect(texts(report)).toEqual(["could not open it"]);
  });

  it("is looked for in a few lines only, however much was pasted", () => {
    const log = Array.from({ length: 500 }, (_, i) => `2024-01-01 12:00:00 ERROR could not open file ${i}`).join("\n");
    expect(texts(log)).toHaveLength(4);
  });
});

const match = (code: string, query: string, language = "python") => {
  const [template] = messageTemplates([code], language);
  const [message] = pastedMessages(query);
  return matchMessage(template!, message!).match;
};

describe("a message and the literal that prints it", () => {
  it("match whatever was filled in, and however it is quoted", () => {
    const code = `raise TypeError(f"The view {name!r} did not return a valid response.")`;
    expect(match(code, "TypeError: The view 'a b c' did not return a valid response.")).toBeGreaterThan(0.85);
    expect(match(code, "the view “index” did not return a valid response")).toBeGreaterThan(0.85);
    expect(match(code, "The view “index” did not  return a valid response. And more")).toBeGreaterThan(0.7);
  });

  it("match in part where the message was cut", () => {
    const code = 'raise E("Could not find any factory. Please install one of those that are listed in the guide.")';
    expect(match(code, "Could not find any factory.")).toBeGreaterThan(0.6);
    expect(match(code, "Please install one of those that are")).toBeGreaterThan(0.6);
    expect(match(code, "RuntimeError: Could not find any factory. Please install one of those")).toBeGreaterThan(0.6);
  });

  it("match better the more of the message is fixed text", () => {
    const message = "split input and separator must be strings";
    const [whole, part] = [`f("split input and separator must be strings")`, `f("%s must be strings")`];
    expect(match(whole, message)).toBeGreaterThan(match(part, message));
    expect(match(part, message)).toBeGreaterThan(0);
  });

  it("match less where the message says something else between two pieces", () => {
    const literal = (what: string) =>
      `raise E(f"INTERNAL: {info()} produced ${what}. Please report a bug. The diff may help: {log}")`;
    const [meant, other] = [literal("code that is not equivalent"), literal("other code on the second pass")];
    const message =
      "INTERNAL: v25 produced code that is not equivalent. Please report a bug. The diff may help: /tmp/x.log";
    expect(match(meant, message)).toBeGreaterThan(0.9);
    expect(match(other, message)).toBeLessThan(match(meant, message) - 0.15);
  });

  it("do not match when the pieces stand in another order, or inside of words", () => {
    expect(match('f("open the file before %s closing it")', "closing it and then open the door today")).toBe(0);
    expect(match('f("is a good file")', "this a good filename is not found")).toBe(0);
  });

  it("are compared in linear time, whatever they hold", () => {
    const unit = fc.constantFrom("a", "b ", " ", "%s", "'", ". ", "word ", ": ");
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 300 }), fc.array(unit, { maxLength: 300 }), (code, query) => {
        const templates = messageTemplates([`f("${code.join("")}")`], "go");
        for (const template of templates) {
          for (const message of pastedMessages(query.join(""))) {
            const value = Math.max(matchMessage(template, message).match, matchWrapped(template, message)?.match ?? 0);
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1);
          }
        }
      }),
    );
  });
});

it("is looked for without the values that it was filled with", () => {
  const [message] = pastedMessages("Target class [App\\Services\\PaymentGateway] does not exist.");
  expect(wrappedTexts(message!)).toEqual(["Target class   does not exist."]);
  const [short] = pastedMessages("could not open [config.yaml]");
  expect(wrappedTexts(short!)).toEqual(["could not open  "]);
});
