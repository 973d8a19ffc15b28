import { isDeepStrictEqual } from "node:util";
import { DossierError } from "../errors.ts";
import { lineAndColumn } from "../text/json/parse-json.ts";
import type { ServerConfig } from "./servers.ts";
import { readToml, type TomlStatement, type TomlValue } from "./toml.ts";

/** Sets one server in a TOML file, or removes it: a table of its own. Everything else stays as it was written. */

/** The servers of the table, as far as they are written as tables: name, command and arguments. */
export function tomlServers(path: string, text: string, table: string): Record<string, ServerConfig> {
  const servers: Record<string, ServerConfig> = {};
  for (const { kind, key, value, table: inside } of statementsOf(path, text)) {
    const [first, name, part, ...rest] = key;
    if (first !== table) continue;
    if (name === undefined ? kind !== "table" : kind === "list" || (kind === "pair" && inside[0] !== table)) {
      throw refusal(path, `${table} is not written as a table for each server`);
    }
    if (name === undefined) continue;
    const entry = (servers[name] ??= {}) as Record<string, unknown>;
    if (kind === "pair" && inside.length === 1) {
      // `name = { … }` below the common table: its parts are not read, so it counts as the user's own.
      entry.unread = true;
    } else if (part !== undefined && rest.length === 0 && kind === "pair") entry[part] = plain(value!);
  }
  return servers;
}

/** Sets command and arguments of a server; its table is made at the end where there is none. */
export function withTomlServer(path: string, text: string, table: string, name: string, entry: ServerConfig): string {
  const before = statementsOf(path, text);
  const header = headerOf(before, [table, name]);
  const written = { command: quoted(String(entry.command)), args: listed(entry.args as string[]) };
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  if (!header) {
    const block = tomlBlock(table, name, entry).replaceAll("\n", newline);
    const gap = text.trim() === "" ? "" : text.endsWith("\n") ? newline : newline + newline;
    return checked(path, before, `${text.trim() === "" ? "" : text}${gap}${block}`, [table, name]);
  }
  // The key that is inserted last ends up first.
  const keys = ["args", "command"] as const;
  const edits = keys.map((key) => {
    const value = before.find((one) => isDeepStrictEqual(one.key, [table, name, key]))?.value;
    // A missing key is inserted right below the header.
    return value
      ? { start: value.start, end: value.end, text: written[key] }
      : { start: header.end, end: header.end, text: `${newline}${key} = ${written[key]}` };
  });
  let changed = text;
  // From the end, so that earlier positions stay valid.
  for (const edit of edits.toSorted((a, b) => b.start - a.start)) {
    changed = changed.slice(0, edit.start) + edit.text + changed.slice(edit.end);
  }
  return checked(path, before, changed, [table, name]);
}

/** Removes a server, with the tables inside its own. Comments above the next table stay. */
export function withoutTomlServer(path: string, text: string, table: string, name: string): string {
  const before = statementsOf(path, text);
  const ownStatements = before.filter(({ table: inside }) => inside[0] === table && inside[1] === name);
  const spans = runs(before, ownStatements).map(([first, last]) => ({
    start: lineBefore(text, first.start),
    end: last.end,
  }));
  let changed = text;
  for (const { start, end } of spans.toReversed()) changed = changed.slice(0, start) + changed.slice(end);
  return checked(path, before, changed.trim() === "" ? "" : changed.replace(/^(?:\r?\n)+/, ""), [table, name]);
}

/** The table as it would be typed. */
export function tomlBlock(table: string, name: string, { command, args }: ServerConfig): string {
  const key = /^[\w-]+$/.test(name) ? name : quoted(name);
  return `[${table}.${key}]\ncommand = ${quoted(String(command))}\nargs = ${listed(args as string[])}\n`;
}

function statementsOf(path: string, text: string): TomlStatement[] {
  const read = readToml(text);
  if (Array.isArray(read)) return read;
  const { line, column } = lineAndColumn(text, read.fault.offset);
  throw refusal(`${path}, line ${line}, column ${column}`, `it ${read.fault.what}`);
}

function refusal(where: string, problem: string): DossierError {
  return new DossierError("bad-config", `${where}: ${problem}.`);
}

function headerOf(statements: readonly TomlStatement[], key: readonly string[]): TomlStatement | undefined {
  return statements.find((one) => one.kind === "table" && isDeepStrictEqual(one.key, key));
}

function plain(value: TomlValue): unknown {
  if (value.kind === "text") return value.text;
  if (value.kind === "list") return value.items!.map(plain);
  return null;
}

/** JSON's escapes are TOML's, but for one character. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

function listed(items: readonly string[]): string {
  return `[${items.map(quoted).join(", ")}]`;
}

/** Groups adjacent statements: the first and the last of each run. */
function runs(all: readonly TomlStatement[], chosen: readonly TomlStatement[]): [TomlStatement, TomlStatement][] {
  const ranges: [TomlStatement, TomlStatement][] = [];
  for (const statement of chosen) {
    const last = ranges.at(-1);
    if (last && all.indexOf(statement) === all.indexOf(last[1]) + 1) last[1] = statement;
    else ranges.push([statement, statement]);
  }
  return ranges;
}

/** The end of the line above, and one blank line more where there is one. */
function lineBefore(text: string, offset: number): number {
  const before = text.slice(0, offset);
  return offset - (/(?:\r?\n){0,2}[ \t]*$/.exec(before)?.[0].length ?? 0);
}

/** Returns the changed text, after checking that every statement but the server's own is still there, in order. */
function checked(
  path: string,
  before: readonly TomlStatement[],
  text: string,
  [table, name]: readonly [string, string],
): string {
  const others = (statements: readonly TomlStatement[]) =>
    statements
      .filter(({ table: inside }) => inside[0] !== table || inside[1] !== name)
      .map(({ kind, key }) => [kind, ...key]);
  if (isDeepStrictEqual(others(statementsOf(path, text)), others(before))) return text;
  throw refusal(path, "it cannot be changed without touching something else in it");
}
