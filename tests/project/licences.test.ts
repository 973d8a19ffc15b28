import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { licencesOf } from "../../scripts/build-licences.ts";

it("gives the licence of every package that is bundled, once, by its name and version", () => {
  const notices = licencesOf(process.cwd(), [
    "src/index.ts",
    "node_modules/hono/dist/hono.js",
    "node_modules/hono/dist/router.js",
    "node_modules/@hono/node-server/dist/index.mjs",
  ]);
  const { version } = JSON.parse(readFileSync("node_modules/hono/package.json", "utf8")) as { version: string };
  expect(notices.split(`\nhono ${version} (MIT)\n`)).toHaveLength(2);
  expect(notices).toContain("@hono/node-server ");
  expect(notices.match(/Permission is hereby granted/g)).toHaveLength(2);
});
