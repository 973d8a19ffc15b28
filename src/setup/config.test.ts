import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson } from "../text/json/parse-json.ts";
import { withHooks, withoutHooks } from "./hooks.ts";
import { valueAt, withJson, withoutJson } from "./json-config.ts";
import { type Launch, launchOf } from "./launch.ts";
import { entryOf, freeName, isOurs, mergedEntry, nameOfSame, sameEntry, type WantedServer } from "./servers.ts";

const launch: Launch = { command: "dossier", args: [], local: false };
const server: WantedServer = { launch, several: false, root: "/home/me/shop" };

const parse = (text: string): unknown => {
  const read = readJson(text);
  if ("fault" in read) throw new Error(read.fault.what);
  return read.value;
};

/**
 * Any settings, written as someone may have written them: one line or many, tabs or blanks, either line end, remarks, a
 * last comma.
 */
const settings = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
    fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }), { nil: undefined }),
    fc.constantFrom("", "  ", "\t", "    "),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([others, servers, indent, windows, remarks]) => {
    const { mcpServers: _, hooks: __, ...rest } = others;
    if (servers) delete servers.dossier;
    // As JSON has it: without a negative zero.
    const value = JSON.parse(JSON.stringify({ ...rest, ...(servers && { mcpServers: servers }) })) as Record<
      string,
      Record<string, unknown>
    >;
    let text = JSON.stringify(value, null, indent);
    if (remarks) text = `// mine\n${text.replace(/\n?\}$/, "/* last */\n}")} // end\n`;
    if (windows) text = text.replaceAll("\n", "\r\n");
    return { value, text };
  });

describe("a server in someone's settings", () => {
  it("is added without touching anything else, and taken out again", () => {
    fc.assert(
      fc.property(settings, ({ value, text }) => {
        const added = withJson("s.json", text, ["mcpServers", "dossier"], entryOf(server));
        expect(parse(added)).toEqual({ ...value, mcpServers: { ...value.mcpServers, dossier: entryOf(server) } });
        // Every character that was there is there still, in order.
        expect(isWithin(text, added)).toBe(true);
        const removed = parse(withoutJson("s.json", added, ["mcpServers", "dossier"]));
        const { mcpServers, ...rest } = value;
        expect(removed).toEqual(mcpServers && Object.keys(mcpServers).length > 0 ? value : rest);
      }),
      { numRuns: 300 },
    );
  });

  it("makes the file where there is none, or only blanks", () => {
    for (const text of [undefined, "", " \n", "\ufeff"]) {
      expect(JSON.parse(withJson("s.json", text, ["a", "b"], 1))).toEqual({ a: { b: 1 } });
    }
  });

  it.each([
    ["[]", "it is no object"],
    ['{"mcpServers": []}', "mcpServers is no object"],
    ['{"mcpServers": null}', "mcpServers is no object"],
    ['{"a": 1', "ends where"],
    ['{"a": 1, "a": 2}', "twice"],
    ["{'a': 1}", "lacks a key in double quotes"],
  ])("is not put into %s", (text, sentence) => {
    expect(() => withJson("s.json", text, ["mcpServers", "dossier"], {})).toThrow(sentence);
  });

  it("keeps remarks and last commas where they stand", () => {
    const text = '{\n\t// servers\n\t"servers": {\n\t\t"a": {}, // first\n\t},\n}\n';
    expect(withJson("s.json", text, ["servers", "b"], { c: 1 })).toBe(
      '{\n\t// servers\n\t"servers": {\n\t\t"a": {}, // first\n\t\t"b": {\n\t\t\t"c": 1\n\t\t}\n\t},\n}\n',
    );
  });
});

describe("an entry", () => {
  it.each([
    [{ command: "dossier", args: ["mcp"] }, true],
    [{ command: "npx", args: ["-y", "dossier@1.2.0", "mcp", "--path", "x"] }, true],
    [{ command: "cmd", args: ["/c", "npx", "-y", "dossier", "mcp"] }, true],
    [{ command: "/usr/bin/node", args: ["/home/me/dossier/dist/cli.js", "mcp"] }, true],
    [{ command: "C:\\n\\node.exe", args: ["C:\\d\\dist\\cli.js", "mcp"] }, true],
    [{ command: "dossier", args: ["serve"] }, false],
    [{ command: "dossier-cloud", args: ["mcp"] }, false],
    [{ command: "node", args: ["/x/cli.js", "mcp"] }, false],
    [{ command: "mcp", args: [] }, false],
    [{ url: "https://example.org/mcp" }, false],
    [{ command: ["dossier"], args: "mcp" }, false],
    [null, false],
  ])("%j is ours: %s", (entry, ours) => {
    expect(isOurs(entry)).toBe(ours);
  });

  it("that is there already is the same, whatever was added to it", () => {
    const mine = { ...entryOf(server), args: ["mcp", "--tools", "all"], disabled: true, env: { A: "1" } };
    expect(sameEntry(mine, mergedEntry(mine, server))).toBe(true);
  });

  it("of another way to start changes only in what starts it", () => {
    const old = {
      type: "stdio",
      command: "npx",
      args: ["-y", "dossier", "mcp", "-C", "/old", "--tools", "all"],
      timeout: 9,
    };
    const merged = mergedEntry(old, { ...server, folder: "/new" });
    expect(merged).toEqual({
      type: "stdio",
      command: "dossier",
      args: ["mcp", "--path", "/new", "--tools", "all"],
      timeout: 9,
    });
  });

  it("of another workspace in a common file stays, and a free name is found", () => {
    const entries = { dossier: { command: "dossier", args: ["mcp", "--path", "/a"] } };
    const other = { ...server, several: true, folder: "/b", root: "/home/me/My Shop!" };
    expect(nameOfSame(entries, other)).toBeUndefined();
    expect(freeName(entries, other)).toBe("dossier-my-shop");
    expect(freeName({ ...entries, "dossier-my-shop": {} }, other)).toBe("dossier-my-shop-3");
    expect(nameOfSame(entries, { ...other, folder: "/a" })).toBe("dossier");
  });

  it("of another program by our name is not touched", () => {
    const entries = { dossier: { command: "dossier-cloud", args: ["start"] } };
    expect(nameOfSame(entries, server)).toBeUndefined();
    expect(freeName(entries, server)).toBe("dossier-shop");
  });
});

describe("hooks", () => {
  it("join those that are there, once, and leave them behind", () => {
    fc.assert(
      fc.property(settings, fc.constantFrom(undefined, ...foreign), ({ value, text }, others) => {
        const before = others ? withJson("s.json", text, ["hooks"], others) : text;
        const added = withHooks("s.json", before, launch);
        expect(withHooks("s.json", added, launch)).toBe(added);
        expect(commandsIn(added)).toEqual(
          expect.arrayContaining([...commandsIn(before), "dossier hook prompt", "dossier hook failure"]),
        );
        expect(parse(withoutHooks("s.json", added))).toEqual(others ? { ...value, hooks: others } : value);
      }),
      { numRuns: 100 },
    );
  });

  it("are renewed where they stand when the program is started in another way", () => {
    const added = withHooks("s.json", undefined, launch);
    const script: Launch = { command: "node", args: ["/my code/dist/cli.js"], local: true };
    const renewed = withHooks("s.json", added, script);
    expect(commandsIn(renewed)).toContain("node '/my code/dist/cli.js' hook prompt");
    expect(commandsIn(renewed)).toHaveLength(5);
    expect(withHooks("s.json", renewed, launch)).toBe(added);
  });

  it("are refused where hooks are something else", () => {
    expect(() => withHooks("s.json", '{"hooks": []}', launch)).toThrow("hooks is no object");
    expect(() => withHooks("s.json", '{"hooks": {"UserPromptSubmit": {}}}', launch)).toThrow("is no list");
  });

  it("that npx must start are not run after every command", () => {
    const npx = launchOf(
      { platform: "win32", node: "", script: "C:\\_npx\\1\\node_modules\\x", environment: {} },
      true,
    );
    const added = withHooks("s.json", undefined, npx);
    expect(commandsIn(added)).toEqual(
      ["prompt", "failure", "start", "end"].map((name) => `npx -y dossier hook ${name}`),
    );
    expect(valueAt("s.json", added, ["hooks", "PostToolUse"])).toBeUndefined();
  });

  it("are for a shell: a path of Windows keeps its parts", () => {
    const added = withHooks("s.json", undefined, { command: "node", args: ["C:\\my code\\dist\\cli.js"], local: true });
    expect(commandsIn(added)[0]).toBe('node "C:/my code/dist/cli.js" hook prompt');
    expect(withoutHooks("s.json", added).trim()).toBe("{\n}");
  });
});

const foreign = [
  { UserPromptSubmit: [{ hooks: [{ type: "command", command: "date" }] }] },
  { PostToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: "lint", timeout: 3 }] }], Stop: [] },
  { PostToolUseFailure: [{ matcher: "Bash", hooks: [] }] },
];

function commandsIn(text: string): string[] {
  return [...JSON.stringify(parse(text)).matchAll(/"command":("(?:[^"\\]|\\.)*")/g)].map(
    ([, command]) => JSON.parse(command!) as string,
  );
}

/** Whether the letters of a text all occur in another, in order. */
function isWithin(text: string, larger: string): boolean {
  let at = 0;
  for (const letter of larger) if (letter === text[at]) at++;
  return at >= text.trimEnd().length - 1;
}
