import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rank } from "../../assemble.ts";
import { updateIndex } from "../../indexing/files/update.ts";
import { searchInput } from "../../options.ts";
import { folder } from "../../tree/folder.cases.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";

const script = (name: string) =>
  `/** Reads cookies of a request. */\nexport function ${name}(header) {\n  return header.split(";");\n}\n`;
const guide = (of: string) => `# Cookies\n\nHow the jar of cookies is configured in ${of}: set the jar option.\n`;

const files = {
  "package.json": "{}\n",
  "lib/cookies.js": script("parseCookies"),
  "lib/router.js": "export function route(path) {\n  return path;\n}\n",
  "lib/cookies.d.ts": "/** Reads cookies of a request. */\nexport function parseCookies(header: string): string[];\n",
  "examples/cookies.js": script("parseCookiesExample"),
  "benchmarks/cookies.js": script("parseCookiesOften"),
  "third_party/cookie/cookies.js": script("parseCookiesElsewhere"),
  "docs/cookies.md": guide("this release"),
  "versioned_docs/version-1.x/cookies.md": guide("release one"),
  "i18n/de/cookies.md": guide("deutscher Ausgabe"),
  "CHANGELOG.md":
    "# Changes\n\n## 2.1\n\nParse cookies of a request: cookies are read once, cookies are kept in a jar.\n",
};

let workspace: Workspace;
beforeAll(async () => {
  workspace = await openWorkspace(folder(files));
  await updateIndex(workspace, { workers: 0 });
});
afterAll(() => workspace.close());

/** Paths in the order of their best item. */
async function ranked(query: string, options: Record<string, unknown> = {}): Promise<string[]> {
  const { ordered } = await rank(workspace, searchInput.parse({ query, minScore: 0, ...options }));
  return [...new Set(ordered.map(({ item }) => item.path))];
}

describe("what is not the product's own", () => {
  it("ranks below what is", async () => {
    const paths = await ranked("where are cookies of a request parsed?");
    expect(paths[0]).toBe("lib/cookies.js");
    const place = (path: string) => paths.indexOf(path);
    for (const path of ["examples/cookies.js", "benchmarks/cookies.js", "lib/cookies.d.ts"]) {
      expect(place(path)).toBeGreaterThan(0);
      expect(place("third_party/cookie/cookies.js")).toBeGreaterThan(place(path));
    }
  });

  it.each([
    ["show an example that parses cookies", "examples/cookies.js"],
    ["benchmark of parsing cookies often", "benchmarks/cookies.js"],
    ["parse cookies in third_party/cookie/cookies.js", "third_party/cookie/cookies.js"],
    ["changelog of cookies", "CHANGELOG.md"],
    ["type declarations of parse cookies in d.ts", "lib/cookies.d.ts"],
  ])("comes first where it is asked for: %s", async (query, path) => {
    expect((await ranked(query))[0]).toBe(path);
  });

  it("is not held back where a filter leads to it", async () => {
    const scored = async (options: object) => {
      const { ordered } = await rank(workspace, searchInput.parse({ query: "parse cookies", minScore: 0, ...options }));
      return ordered.find(({ item }) => item.path.startsWith("examples/"))!.score;
    };
    expect(await scored({ paths: ["examples/**"] })).toBeGreaterThan(await scored({}));
  });
});

describe("versions and translations of a document", () => {
  const documents = async (query: string) => (await ranked(query)).filter((path) => /docs\/|i18n/.test(path));

  it("count as one, the current", async () => {
    expect(await documents("where is the jar of cookies configured?")).toEqual(["docs/cookies.md"]);
  });

  it("are there where one is asked for", async () => {
    expect(await documents("jar of cookies in version 1")).toContain("versioned_docs/version-1.x/cookies.md");
    expect(await documents("german translation of the jar of cookies")).toContain("i18n/de/cookies.md");
  });
});

it("lets documentation lead where somebody wants to use something", async () => {
  expect((await ranked("how do I configure the jar of cookies?"))[0]).toBe("docs/cookies.md");
  const scoreOf = async (query: string) => {
    const { ordered } = await rank(workspace, searchInput.parse({ query, minScore: 0 }));
    const best = (path: string) => ordered.find(({ item }) => item.path === path)!.score;
    return best("docs/cookies.md") / best("lib/cookies.js");
  };
  expect(await scoreOf("how to use cookies")).toBeGreaterThan(await scoreOf("where are cookies"));
});
