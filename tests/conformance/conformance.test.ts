import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capabilities } from "../../src/surfaces/mcp/greeting.ts";
import { mountOffer } from "../../src/surfaces/mcp/transport/http.ts";
import { type RunningServer, start } from "../http/http-server.ts";
import { fixtureOffer } from "./fixture-offer.ts";

/**
 * The protocol's official suite in its server mode, over HTTP, with the server's own machinery and the tools, resources
 * and prompts that the suite asks for. `docs/conformance.md` is its report; `UPDATE_CONFORMANCE=1` writes it anew.
 */

const report = fileURLToPath(new URL("../../docs/conformance.md", import.meta.url));
const suite = join(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json"), "..");
const { version } = JSON.parse(readFileSync(join(suite, "package.json"), "utf8")) as { version: string };

/** Scenarios of what the server does not say that it can do. */
const notOffered: Record<string, string> = {
  "logging-set-level": "logging",
  "tools-call-with-logging": "logging",
  "completion-complete": "completions",
  "tools-call-sampling": "asks nothing of the client's model",
  "tools-call-elicitation": "asks nothing of the user",
  "elicitation-sep1034-defaults": "asks nothing of the user",
  "elicitation-sep1330-enums": "asks nothing of the user",
  "resources-subscribe": "resources.subscribe",
  "resources-unsubscribe": "resources.subscribe",
  "server-sse-polling": "streams that are taken up again: each request stands alone",
};

type Check = { id: string; status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO"; errorMessage?: string };

let server: RunningServer;
let results: Map<string, Check[]>;

beforeAll(async () => {
  server = await start({ mounts: [mountOffer(() => fixtureOffer)], settings: { rate: 100_000 } });
  const folder = mkdtempSync(join(tmpdir(), "dossier-conformance-"));
  const args = [join(suite, "dist/index.js"), "server", "--url", `${server.url}/mcp`, "--suite", "all", "-o", folder];
  const shim = fileURLToPath(new URL("./node-20.mjs", import.meta.url));
  // It ends with status 1 when anything fails: what failed is in its files.
  await promisify(execFile)(process.execPath, ["--import", shim, ...args], { timeout: 110_000 }).catch(
    (error: { code?: unknown }) => {
      if (error.code !== 1) throw error;
    },
  );
  results = resultsIn(folder);
  rmSync(folder, { recursive: true, force: true });
}, 120_000);
afterAll(() => server?.close());

/** `server-tools-list-2026-…/checks.json` of every scenario. */
function resultsIn(folder: string): Map<string, Check[]> {
  const checksByName = new Map<string, Check[]>();
  for (const name of readdirSync(folder).sort()) {
    const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
    checksByName.set(scenario, JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8")) as Check[]);
  }
  return checksByName;
}

describe("the official conformance suite", () => {
  it("passes every scenario of what the server says that it can do", () => {
    expect(results.size).toBeGreaterThan(25);
    const failed = [...results].flatMap(([scenario, checks]) =>
      checks
        .filter(({ status }) => !["SUCCESS", "INFO"].includes(status) && notOffered[scenario] === undefined)
        .map(({ id, status, errorMessage }) => `${scenario}: ${id} ${status} ${errorMessage ?? ""}`),
    );
    expect(failed).toEqual([]);
  });

  it("is excused only from abilities that the greeting does not name", () => {
    expect(capabilities).toEqual({ tools: {}, resources: {}, prompts: {} });
    expect(Object.keys(notOffered).filter((scenario) => !results.has(scenario))).toEqual([]);
  });

  it("has its report kept", () => {
    const text = reportOf();
    if (process.env.UPDATE_CONFORMANCE) writeFileSync(report, text);
    expect(readFileSync(report, "utf8")).toBe(text);
  });
});

function reportOf(): string {
  const rows = [...results].map(([scenario, checks]) => {
    const counted = checks.filter(({ status }) => status !== "INFO");
    const passed = counted.filter(({ status }) => status === "SUCCESS").length;
    const outcome =
      notOffered[scenario] === undefined ? `${passed} of ${counted.length}` : `not offered: ${notOffered[scenario]}`;
    return `| \`${scenario}\` | ${outcome} |`;
  });
  const offered = [...results.keys()].filter((scenario) => notOffered[scenario] === undefined).length;
  return [
    "# Conformance",
    "",
    `\`@modelcontextprotocol/conformance\` ${version}, server mode, over HTTP: the ${offered} scenarios of what the server says that it can do, and the`,
    `${results.size - offered} of what it does not. Written by \`UPDATE_CONFORMANCE=1 npx vitest run tests/conformance\`; the tests fail when it differs.`,
    "",
    "| scenario | checks passed |",
    "| --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
