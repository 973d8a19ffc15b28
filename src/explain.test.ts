import { expect, it } from "vitest";
import { folder } from "../tests/workspace.ts";
import { why } from "./index.ts";

const definition = (name: string) => `int ${name}(int all) {\n  int rest = all - 1;\n  return rest;\n}\n`;

it("takes a name for its definition, whatever headers declare it", async () => {
  const path = folder({
    "refund.h": "int refund(int all);\n",
    "refund.c": `#include "refund.h"\n\n${definition("refund")}`,
  });
  expect((await why({ query: "how is a refund made?", item: "refund", path })).location).toMatch(/^refund\.c:/);
});

it("asks which one is meant where there are two definitions", async () => {
  const path = folder({ "a.c": definition("refund"), "b.c": definition("refund") });
  await expect(why({ query: "how is a refund made?", item: "refund", path })).rejects.toThrow("is not unique");
});
