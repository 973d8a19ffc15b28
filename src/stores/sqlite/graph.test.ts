import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { graphCases } from "../graph.cases.ts";
import { openSqliteStore } from "./open.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-graph-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const fresh = () => join(folder, `${count++}.db`);
graphCases("SQLite", () => openSqliteStore(fresh()));
