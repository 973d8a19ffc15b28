import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freeName, nameOfSame } from "./servers.ts";
import { readToml, type TomlStatement } from "./toml.ts";
import { tomlServers, withoutTomlServer, withTomlServer } from "./toml-config.ts";

const statements = (text: string): TomlStatement[] => {
  const read = readToml(text);
  if (!Array.isArray(read)) throw new Error(read.fault.what);
  return read;
};
const keys = (text: string) => statements(text).map(({ kind, key }) => `${kind} ${key.join("/")}`);
const entry = { command: "dossier", args: ["mcp", "--path", 'C:\\my "code"'] };
const add = (text: string, name = "dossier") => withTomlServer("c.toml", text, "mcp_servers", name, entry);
const remove = (text: string) => withoutTomlServer("c.toml", text, "mcp_servers", "dossier");

/** All that a config may hold, and that looks like something else. */
const real = `# Codex
model = "gpt" # the usual
notify = ["a", # first
  'b]', ]
prompt = """
[mcp_servers.dossier]
command = "not a table" \\
  \\"""
end"""
path = '''C:\\'''
when = 1979-05-27 07:32:00Z
limits = { soft = 1_000, "hard limit" = -1.5e3, list = [[1], [2, 3]] }
site."google.com" = true

[mcp_servers.other]
command = 'npx'
args = ["-y", "other"]

# Projects
[projects."/home/me/[shop]"]
trust_level = "trusted"

[[profiles]]
name = "a"
[[profiles]]
name = "b"
`;

describe("reading TOML", () => {
  it("finds the statements, and nothing inside of texts", () => {
    expect(keys(real)).toEqual([
      "pair model",
      "pair notify",
      "pair prompt",
      "pair path",
      "pair when",
      "pair limits",
      "pair site/google.com",
      "table mcp_servers/other",
      "pair mcp_servers/other/command",
      "pair mcp_servers/other/args",
      "table projects//home/me/[shop]",
      "pair projects//home/me/[shop]/trust_level",
      "list profiles",
      "pair profiles/name",
      "list profiles",
      "pair profiles/name",
    ]);
    expect(tomlServers("c.toml", real, "mcp_servers")).toEqual({ other: { command: "npx", args: ["-y", "other"] } });
  });

  it.each([
    ["a = ", "lacks a value"],
    ["a", "lacks ="],
    ["= 1", "lacks a key"],
    ["a = hello", "lacks a value"],
    ['a = "b', "closing quote"],
    ['a = """b', "closing quote"],
    ['a = "\\q"', "unknown escape"],
    ['a = "\\UFFFFFFFF"', "unknown character"],
    ["a = [1, 2", "lacks"],
    ["a = [1 2]", "lacks a comma"],
    ["a = 1 b = 2", "goes on"],
    ["[a", "lacks ]"],
    ["[a]\n[a]", "twice"],
    ["a = 1\na = 2", "twice"],
    [`a = ${"[".repeat(200)}`, "nested too deep"],
    ["a = {b = 1", "lacks"],
    ["\u0000", "lacks a key"],
  ])("refuses %j", (text, sentence) => {
    expect(() => statements(text)).toThrow(sentence);
  });

  it("ends on any text, with an answer", () => {
    const pieces = fc.constantFrom(
      "[",
      "]",
      "[[",
      "=",
      '"',
      "'",
      '"""',
      "'''",
      "\\",
      "#",
      "\n",
      "a",
      ".",
      ",",
      "{",
      "}",
      " ",
      "1",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => void readToml(parts.join(""))),
      { numRuns: 2000 },
    );
  });
});

describe("a server in TOML", () => {
  it("goes to the end as a table of its own, and comes out again without a trace", () => {
    expect(add(real)).toBe(
      `${real}\n[mcp_servers.dossier]\ncommand = "dossier"\nargs = ["mcp", "--path", "C:\\\\my \\"code\\""]\n`,
    );
    expect(tomlServers("c.toml", add(real), "mcp_servers").dossier).toEqual(entry);
    expect(remove(add(real))).toBe(real);
    expect(remove(add(""))).toBe("");
    expect(remove(add(real.replaceAll("\n", "\r\n")))).toBe(real.replaceAll("\n", "\r\n"));
    expect(add("a = 1")).toMatch(/^a = 1\n\n\[mcp_servers\.dossier\]\n/);
  });

  it("is changed where it stands; what the user added stays", () => {
    const text = `[mcp_servers.dossier] # mine\nargs = ["-y", "dossier", "mcp"] # args\nenabled = false\n\n[mcp_servers.dossier.env]\nA = "1"\n\n# next\n[tui]\n`;
    expect(add(text)).toBe(
      `[mcp_servers.dossier] # mine\ncommand = "dossier"\nargs = ["mcp", "--path", "C:\\\\my \\"code\\""] # args\nenabled = false\n\n[mcp_servers.dossier.env]\nA = "1"\n\n# next\n[tui]\n`,
    );
    expect(remove(text)).toBe("# next\n[tui]\n");
  });

  it.each([
    ["mcp_servers = { other = { command = 'x' } }\n"],
    ["mcp_servers.other.command = 'x'\n"],
    ["[[mcp_servers]]\nname = 'x'\n"],
    ["[[mcp_servers.other]]\nname = 'x'\n"],
  ])("is refused where servers are written otherwise: %j", (text) => {
    expect(() => tomlServers("c.toml", text, "mcp_servers")).toThrow("not written as a table for each server");
  });

  it("that is written on one line is the user's own", () => {
    const text = "[mcp_servers]\ndossier = { command = 'dossier', args = ['mcp'] }\n";
    const servers = tomlServers("c.toml", text, "mcp_servers");
    const server = { launch: { command: "dossier", args: [], local: false }, several: true, root: "/home/me/shop" };
    expect(nameOfSame(servers, server)).toBeUndefined();
    expect(freeName(servers, server)).toBe("dossier-shop");
  });

  it("never costs another statement", () => {
    const key = fc.constantFrom("a", '"b c"', "'d.e'", "f-1");
    const value = fc.oneof(
      fc.integer().map(String),
      fc.string().map((text) => JSON.stringify(text).replaceAll("\u007f", "\\u007f")),
      fc.constantFrom("'''\n[x]\n'''", '"""\n#"""', "[1, [2], # c\n 3]", "{ a = 1 }", "true", "2026-01-01"),
    );
    const table = fc
      .tuple(fc.uniqueArray(key, { maxLength: 3 }), fc.array(value, { minLength: 3, maxLength: 3 }), fc.nat(999))
      .map(([names, values, number]) =>
        [`[t${number}.x]`, ...names.map((name, at) => `${name} = ${values[at]}`)].join("\n"),
      );
    const file = fc
      .tuple(
        fc.uniqueArray(table, { maxLength: 4, selector: (text) => text.split("\n")[0] }),
        fc.constantFrom("\n", "\n\n", "\n# r\n"),
      )
      .map(([tables, gap]) => tables.map((text) => text + gap).join(""));
    fc.assert(
      fc.property(file, (text) => {
        const added = add(text);
        expect(keys(added).slice(0, -3)).toEqual(keys(text));
        expect(tomlServers("c.toml", added, "mcp_servers").dossier).toEqual(entry);
        expect(remove(added).trimEnd()).toBe(text.trimEnd());
      }),
      { numRuns: 200 },
    );
  });
});
