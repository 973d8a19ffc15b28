import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { commitCases } from "../../cases/commits.cases.ts";
import { openSqliteStore } from "../engine/open.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-commits-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
commitCases("SQLite", () => openSqliteStore(join(folder, `${count++}.db`)));
