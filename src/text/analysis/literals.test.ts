import { expect, it } from "vitest";
import { analyseQuery } from "./query.ts";

const literals = (text: string) => analyseQuery(text).literals.map((literal) => literal.text);

it.each([
  ["lfu-decay-time", ["lfu-decay-time"]],
  ["how do I set --fill-percent", ["fill-percent"]],
  ["what does maven.compiler.source do?", ["maven.compiler.source"]],
  ["is BUILD_TLS needed?", ["BUILD_TLS"]],
  ['where is "set-cookie" read', ["set-cookie"]],
  ["how is `retry after` used", ["retry after"]],
  ["how are objects created when the class lacks a no-args constructor", []],
  ["how are escaped pairs converted to utf-8 on Ctrl-C", []],
  ["how are payments processed? Really.", []],
  ["what is in redis.conf", []],
  ["TS2304", ["2304"]],
  ["why do I get SC2086 here", ["2086"]],
  ["how is RFC6455 followed", []],
])("%s has the literals %j", (text, expected) => {
  expect(literals(text)).toEqual(expected);
});

it("takes words joined by a hyphen or a dot in prose for a literal only where they are a key", () => {
  expect(analyseQuery("how does copy-on-write work").literals).toEqual([{ text: "copy-on-write", onlyAsKey: true }]);
  expect(analyseQuery("how does `copy-on-write` work").literals).toEqual([{ text: "copy-on-write", onlyAsKey: false }]);
});

it("reads none in a long report", () => {
  expect(literals(`Crash\n\n${"fill-percent was set and then it broke. ".repeat(20)}`)).toEqual([]);
});
