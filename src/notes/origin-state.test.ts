import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { folder } from "../../tests/workspace.ts";
import { openSqliteStore } from "../stores/sqlite/engine/open.ts";
import { type OriginState, readOriginState, writeOriginState } from "./origin-state.ts";

async function store() {
  const opened = await openSqliteStore(join(folder({}), "index.db"));
  onTestFinished(() => opened.close());
  return opened;
}

const state: OriginState = {
  name: "tana",
  kind: "tana-export",
  from: "export.json",
  format: 1,
  sheets: { "export.json": "12 345" },
  read: 1000,
  warnings: ["One node was passed over."],
};

it("is kept for each owner, on the shelf of notes, whichever shelf is in hand", async () => {
  const opened = await store();
  expect(await readOriginState(opened, "me")).toEqual([]);
  await writeOriginState(opened, "me", [state]);
  expect(await readOriginState(opened.shelf("note"), "me")).toEqual([state]);
  expect(await readOriginState(opened, "you")).toEqual([]);
});

it("counts as nothing when it cannot be understood", async () => {
  const opened = await store();
  const shelf = opened.shelf("note");
  for (const text of ["{", "null", '{"a":1}', "[null, 1, {}]", '[{"name":"x"}]']) {
    await shelf.writeMetadata("me", "origins", new TextEncoder().encode(text));
    expect(await readOriginState(opened, "me")).toEqual([]);
  }
});
