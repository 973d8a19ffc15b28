import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { bundleCases } from "../../cases/bundles.cases.ts";
import { openSqliteStore } from "../engine/open.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-bundles-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
bundleCases("SQLite", () => openSqliteStore(join(folder, `${count++}.db`)));
