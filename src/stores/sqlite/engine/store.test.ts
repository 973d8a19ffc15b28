import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { storeCases } from "../../cases/store.cases.ts";
import { openSqliteStore } from "./open.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
storeCases("SQLite", () => openSqliteStore(join(folder, `${count++}.db`)));
