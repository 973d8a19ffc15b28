import { describe, expect, it } from "vitest";
import { analyseQuery, withLightAsking } from "./query.ts";

describe("a question about using or setting up something", () => {
  it.each([
    "how do I configure logging?",
    "how can we use the cache with redis",
    "how to install the plugin",
    "getting started",
    "usage of the client",
    "how do I set a permalink?",
    "How should I set up the database?",
    "how do I register a custom adapter?",
    "how can users override the theme?",
    "how to restart without dropping connections",
    "where do I put data files",
    "which signals can I send to the server",
    "can I write my pages in markdown",
    "install it on a mac",
    "is HTTP/2 supported",
    "is there a way to skip a test",
  ])("is recognised: %s", (text) => {
    expect(analyseQuery(text).wantsUsage).toBe(true);
  });

  it.each([
    "how does the logger work?",
    "where is the configuration read?",
    "what uses the cache?",
    "why do we use two pools?",
    "how do we enforce the budget?",
    "how do I test a view?",
    "where do I find the parser",
    "can one connection carry requests for another host",
    "setupLogging",
  ])("is not: %s", (text) => {
    expect(analyseQuery(text).wantsUsage).toBe(false);
  });

  it("is not what a long report is, whatever its steps say", () => {
    const report = `Crash on save\n\nHow to use: install it. ${"Then some more words about it. ".repeat(20)}`;
    expect(analyseQuery(report).wantsUsage).toBe(false);
  });
});

describe("a question that documentation may answer as well as code", () => {
  it.each([
    "what are safe modes",
    "what is a blueprint?",
    "what is the difference between hooks and middleware",
    "which option sets the default theme",
    "what does the gcTime option do",
    "example of a block macro",
    "are keys case sensitive",
    "can a config file be watched for changes",
    "how do I test a command",
  ])("is recognised: %s", (text) => {
    expect(analyseQuery(text).wantsDocs).toBe(true);
  });

  it.each([
    "what is the purpose of the private helper in the session interface",
    "what happens when a worker does not check in",
    "how are redirects followed",
    "in which order are configuration sources consulted",
    "can the query cache grow without limit",
  ])("is not: %s", (text) => {
    expect(analyseQuery(text).wantsDocs).toBe(false);
  });
});

describe("a question about what the project does", () => {
  it.each([
    "how are redirects followed?",
    "where is the response body decompressed",
    "moving a file from one disk to another",
    "closing connections that have been silent",
    "what happens when a worker does not check in",
    "in which order are configuration sources consulted",
    "why would a request be retried",
    "which constructor is picked to create the destination",
    "Explain the retry logic",
    "I want to know how it decides whether a file is binary",
    "why don't all workers ask at the same moment",
    "does it close a connection that it opened itself",
    "are the annotations parsed again on every call?",
    "what if the body can't be decoded",
    "what stops a request from leaving the public folder",
    "what becomes of a job whose worker died",
  ])("is recognised: %s", (text) => {
    expect(analyseQuery(text).wantsBehaviour).toBe(true);
  });

  it.each([
    "check if a variable is iterable",
    "how to remove empty elements in a list",
    "how do I register a custom adapter?",
    "how can we use the cache with redis",
    "cookie jar",
    "is there a function to merge two maps",
    "can I use it with redis",
    "must be a string",
    "is not a directory",
    "what options exist",
    "where",
    "createApplication",
  ])("is not: %s", (text) => {
    expect(analyseQuery(text).wantsBehaviour).toBe(false);
  });
});

describe("roles that a question asks for", () => {
  it.each([
    ["show me an example of streaming", ["example"]],
    ["which benchmark covers parsing?", ["benchmark"]],
    ["what is in index.d.ts", ["declaration"]],
    ["types of the request options", ["declaration"]],
    ["what do the release notes say about cookies", ["changelog"]],
    ["где читается конфигурация?", ["translation"]],
    ["how is the generated client used", ["generated"]],
    ["is zlib vendored?", ["vendored"]],
    ["what did older versions of the docs say", ["old-version"]],
  ])("%s", (text, roles) => {
    expect(analyseQuery(text).wantsRoles).toEqual(roles);
  });

  it("are none for a question about how something works", () => {
    expect(analyseQuery("how is the budget enforced, for example?").wantsRoles).toEqual([]);
  });
});

describe("words that a question is asked with", () => {
  const weights = (text: string) =>
    new Map(withLightAsking(analyseQuery(text)).terms.map(({ term, weight }) => [term, weight]));

  it("count half of the others where it asks what the project does", () => {
    const asked = weights("what happens when the queue is full");
    expect(asked.get("happen")).toBe(asked.get("queue")! / 2);
    const named = weights("queue mechanism");
    expect(named.get("mechan")).toBe(named.get("queue"));
  });

  it("count fully in a long question, but for those of asking itself", () => {
    const long = weights(
      "What is the purpose of the small queue in the scheduler that holds tasks, workers, timers, signals, sockets and buffers?",
    );
    expect(long.get("small")).toBe(long.get("queue"));
    expect(long.get("purpos")).toBe(long.get("queue")! / 2);
  });
});

it.each(["¿cómo se analiza un depfile?", "wie wird ein Ziel gefunden?", "pourquoi est-il vide ?", "如何解析 depfile"])(
  "knows a question about what the project does in another language: %s",
  (text) => {
    expect(analyseQuery(text).wantsBehaviour).toBe(true);
  },
);

it("does not take a comment for a question", () => {
  expect(analyseQuery("comment style of the parser").wantsBehaviour).toBe(false);
});
