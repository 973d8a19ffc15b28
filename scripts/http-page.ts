import { readFile } from "node:fs/promises";
import { type ErrorCode, errorCodes } from "../src/errors.ts";
import { scopeSentence } from "../src/operations/core/access.ts";
import { fieldsOf } from "../src/operations/core/fields.ts";
import { groups, type Operation } from "../src/operations/core/operation.ts";
import { allOperations } from "../src/operations/core/registry.ts";
import { serve } from "../src/operations/serve/serve.ts";
import { flagName } from "../src/surfaces/cli/flags.ts";
import { shownDefault } from "../src/surfaces/cli/help.ts";
import { deepest } from "../src/surfaces/http/body.ts";
import { fixOf } from "../src/surfaces/http/failure.ts";
import { createMetrics } from "../src/surfaces/http/metrics.ts";
import { usualPatience } from "../src/surfaces/http/server.ts";
import { cell, generated } from "./pages.ts";

/**
 * docs/http.md: what is told about the service, with its tables made from the program. A test runs the commands of the
 * page, in their order, and compares what they answer with what the page shows.
 */
export async function httpPage(): Promise<string> {
  const text = await readFile(new URL("http-page.md", import.meta.url), "utf8");
  const tables: Record<string, string> = {
    generated,
    routes: routeTables(await allOperations()),
    errors: errorTable(),
    settings: settingsTable(),
    metrics: await metricsTable(),
    client: `\`\`\`js\n${(await readFile(new URL("../examples/chat-with-context.js", import.meta.url), "utf8")).trimEnd()}\n\`\`\``,
    connections: usualPatience.connections.toLocaleString("en-US"),
    perAddress: usualPatience.perAddress.toLocaleString("en-US"),
    depth: String(deepest),
    head: String(usualPatience.head / 1000),
    body: String(usualPatience.request / 1000),
    finish: String(usualPatience.finish / 1000),
  };
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const made = tables[name];
    if (made === undefined) throw new Error(`http-page.md asks for ${name}, which nothing makes.`);
    return made;
  });
}

function routeTables(operations: Operation[]): string {
  const offered = operations.filter(({ onlyOn }) => !onlyOn);
  return groups
    .map((title) => ({ title, members: offered.filter(({ group }) => group === title) }))
    .filter(({ members }) => members.length > 0)
    .map(({ title, members }) =>
      table(
        [title, "what it does", "scope"],
        members.map((operation) => [`\`/v1/${operation.name}\``, operation.summary, scopeSentence(operation)]),
      ),
    )
    .join("\n\n");
}

/** Failures that only a command line meets. */
const elsewhere: ReadonlySet<string> = new Set([
  "unknown-command",
  "command-not-found",
  "command-not-executable",
  "port-taken",
  "bare-repository",
]);

function errorTable(): string {
  const codes = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => !elsewhere.has(code));
  codes.sort((a, b) => errorCodes[a].http - errorCodes[b].http);
  return table(
    ["status", "code", "what to do"],
    codes.map((code) => [String(errorCodes[code].http), `\`${code}\``, fixOf(code)]),
  );
}

function settingsTable(): string {
  const fields = fieldsOf(serve).filter(({ key }) => key !== "path");
  return table(
    ["flag", "default", "what it does"],
    fields.map((field) => [`\`--${flagName(field.key)}\``, String(shownDefault(field) ?? "none"), field.description]),
  );
}

async function metricsTable(): Promise<string> {
  const text = await createMetrics().text();
  const rows = [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)$/gm)];
  return table(
    ["metric", "type", "what it counts"],
    rows.map(([, name, help, type]) => [`\`${name}\``, type!, help!]),
  );
}

function table(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}
