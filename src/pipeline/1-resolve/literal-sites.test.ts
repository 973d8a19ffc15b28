import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { context } from "../../index.ts";

const many = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");
const tree = {
  "shop.conf": `# The shop's settings.

${many(60, (i) => `# What option ${i} of the decay is for, in time.\noption-${i} yes\n`)}
# Minutes until the counter of a key is halved.
#
# decay-of-time 1
`,
  "src/settings.c": `static setting settings[] = {
${many(120, (i) => `    number("limit-${i}", server.limit_${i}, ${i}),`)}
    number("decay-of-time", server.decay, 1),
${many(60, (i) => `    number("bound-${i}", server.bound_${i}, ${i}),`)}
};
`,
  "src/clock.c": `/* The time of the decay: decay and time, of time and decay. */
int decayTime(int time) {
    return time > 0 ? time - decay() : 0;
}
`,
  "pom.xml": `<project>
${many(150, (i) => `  <property${i}>of the compiler source</property${i}>`)}
  <properties>
    <build.compiler.source>11</build.compiler.source>
  </properties>
</project>
`,
  "src/Reader.java": `class Reader {
    private String source;
    /** The compiler's source. */
    String source() { return source; }
}
`,
  "docs/usage.md": `# Usage\n\n## Flags\n\n${many(40, (i) => `Line ${i}: sets the percent to fill.`)}\n\nUse \`--fill-percent\` to leave room.\n`,
  "cmd/bench.go": `package cmd

func flags(set *Set) {
${many(60, (i) => `\tset.Int("size-${i}", ${i}, "how much to fill, in percent")`)}
	set.Float("fill-percent", 0.5, "fill")
}
`,
};

describe("a literal of the question that stands in few items", () => {
  it.each([
    "decay-of-time",
    "what does decay-of-time do?",
    "how do I set decay-of-time",
    "how is `decay-of-time` used",
  ])("is printed with its lines, in the setting and in the code that reads it: %s", async (query) => {
    for (const maxTokens of [600, 4000]) {
      const { items } = await context({ path: await folder(tree), query, maxTokens });
      const texts = items.map(({ text }) => text);
      expect(texts.some((text) => text.includes("# decay-of-time 1"))).toBe(true);
      expect(texts.some((text) => text.includes('number("decay-of-time", server.decay, 1)'))).toBe(true);
    }
  });

  it("is no field that is called as its last part", async () => {
    const { items } = await context({ path: await folder(tree), query: "build.compiler.source", maxTokens: 1000 });
    expect(items[0]).toMatchObject({ path: "pom.xml" });
    expect(items[0]!.text).toContain("<build.compiler.source>11</build.compiler.source>");
  });

  it("is found where it is written as nested keys", async () => {
    const services = many(60, (i) => `  part${i}:\n    image: shop/part${i}\n    ports:\n      - ${8000 + i}`);
    const files = {
      ...tree,
      "deploy.yml": `services:\n${services}\n  web:\n    image: shop/web\n    ports:\n      - 443\n`,
    };
    const { items } = await context({ path: await folder(files), query: "services.web.ports", maxTokens: 1000 });
    expect(items[0]).toMatchObject({ path: "deploy.yml" });
    expect(items[0]!.text).toContain("  web:\n");
    expect(items[0]!.text).toContain("      - 443");
  });

  it("is the number of a warning, whose letters the code does not write, where the number is given its text", async () => {
    const checks = (i: number) => `check${i} = warn token ${3000 + i} "Finding ${i} of the shell, quote word."`;
    const path = await folder({
      "src/Checks.hs": `module Checks where\n\n${many(30, checks)}\n\nunquoted token = info token 2086 "Words are split."\n`,
      "src/Props.hs": many(12, (i) => `prop_${i} = verify "disable=SC2086" == [2086]`),
      "docs/usage.md": "# Usage\n\nA line `# shellcheck disable=SC2086` disables a warning.\n",
    });
    for (const query of ["SC2086", "why do I get SC2086"]) {
      const { items } = await context({ path, query });
      expect(items[0]).toMatchObject({ path: "src/Checks.hs" });
      expect(items[0]!.text).toContain('info token 2086 "Words are split."');
    }
  });

  it("is found as a flag, in the code and in its documentation", async () => {
    const { items } = await context({
      path: await folder(tree),
      query: "what does --fill-percent do?",
      maxTokens: 1000,
    });
    const having = items.filter(({ text }) => text.includes("fill-percent"));
    expect(having.map(({ path }) => path).sort()).toEqual(["cmd/bench.go", "docs/usage.md"]);
  });

  it("is the class that is called so, where only a method of a few lines has it", async () => {
    const flag = (name: string, field: string) => `impl Flag for ${field} {
    fn name(&self) -> &'static str {
        "${name}"
    }
    fn update(&self, value: Value, settings: &mut Settings) {
        settings.${field.toLowerCase()} = value.number();
    }
}
`;
    const others = many(40, (i) => flag(`other-${i}`, `Other${i}`));
    const path = await folder({ ...tree, "src/flags.rs": `${others}\n${flag("most-columns", "Columns")}` });
    const { items } = await context({ path, query: "what does --most-columns do", maxTokens: 600 });
    expect(items[0]).toMatchObject({ kind: "class", path: "src/flags.rs" });
    expect(items[0]!.text).toContain("settings.columns = value.number();");
  });

  it("does not lead by a text that only mentions it, where more is asked about it: the code that acts on it does", async () => {
    const entry = (i: number) => `## ${i}.0\n\n${many(8, (j) => `- Setting ${j} of release ${i} is new.`)}\n`;
    const path = await folder({
      "CHANGELOG.md": `# Changes\n\n${many(6, entry)}\n## 0.9\n\n- Fixes of pages.\n- \`keep-open\` is new.\n- Faster starts.\n`,
      "src/pool.py": `def release(connection, settings):
    # An idle connection is closed unless it may be used again.
    if settings.get("keep-open") and connection.idle < settings.limit:
        return pool.put_back(connection)
    connection.close()
`,
      "src/other.py": many(20, (i) => `def part${i}(x):\n    return x + ${i}\n`),
    });
    const { items } = await context({ path, query: "when does `keep-open` close an idle connection" });
    expect(items[0]).toMatchObject({ path: "src/pool.py" });
    const notes = items.find((item) => item.path === "CHANGELOG.md");
    expect(notes?.because.named).toBeUndefined();
    expect(notes?.text ?? "").not.toContain("Setting 3 of release 2");
    const [asked] = (await context({ path, query: "keep-open" })).items.filter(({ path: at }) => at === "CHANGELOG.md");
    expect(asked?.because.named).toBeGreaterThan(0);
  });

  it("says nothing where it is only joined words of prose, or is in many places", async () => {
    const common = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`src/m${i}.py`, `def handle${i}(x):\n    return x.get("user-id")\n`]),
    );
    const words = { "src/pages.py": "def split(page):\n    # done copy-on-write, as ever\n    return page\n" };
    const path = await folder({ ...tree, ...common, ...words });
    for (const query of ["how is the user-id handled", "how does copy-on-write split pages"]) {
      const { items } = await context({ path, query });
      expect(items.every(({ because }) => because.named === undefined)).toBe(true);
    }
  });

  it("is in few places though thirty translations of a page have it too", async () => {
    const page = (words: string) => `# ${words}\n\n## Logging\n\nSet \`SHOP_CACHE\` to move the log.\n`;
    const languages = ["de-DE", "fr-FR", "es-ES", "ja-JP", "ko-KR", "pt-BR", "ru-RU", "tr-TR", "zh-CN", "ckb-IR"];
    const path = folder({
      "docs/config/README.md": page("Configuration"),
      ...Object.fromEntries(languages.map((language) => [`docs/${language}/config/README.md`, page(language)])),
      "src/logger.rs": `pub fn log_folder() -> PathBuf {\n    env::var_os("SHOP_CACHE").map_or_else(default_folder, PathBuf::from)\n}\n`,
      "src/cache.rs":
        "/// The cache of the shop, and what the shop caches.\npub fn shop_cache(shop: &Shop) -> Cache {\n    shop.cache()\n}\n",
    });
    const { items } = await context({ path, query: "SHOP_CACHE" });
    expect(items.map((item) => item.path)).toEqual(["src/logger.rs", "docs/config/README.md"]);
  });

  it("is in few places though every test of the program has it", async () => {
    const path = folder({
      "lib/options.js": 'export const booleans = [\n  "bail",\n  "fail-hook-affected-tests",\n  "retries",\n];\n',
      "docs/cli.md": "# Usage\n\n## `--fail-hook-affected-tests`\n\nReports what a failed hook affects as failed.\n",
      ...Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [
          `test/hook${i}.spec.js`,
          `it("fails affected tests ${i}", () => {\n  run(["--fail-hook-affected-tests"], ${i});\n});\n`,
        ]),
      ),
    });
    const { items } = await context({ path, query: "what does --fail-hook-affected-tests do" });
    expect(items.slice(0, 2).map((item) => item.path)).toEqual(["docs/cli.md", "lib/options.js"]);
  });

  it("is printed with the lines around it where a long section only mentions it", async () => {
    const line = (i: number) =>
      `Routes of kind ${i} are found by their prefix, and are handled in the order of their names.`;
    const path = folder({
      "shop/files.py": 'import os\n\nNO_SENDFILE = bool(os.environ.get("SHOP_NO_SENDFILE"))\n',
      "docs/routes.md": `# Routes\n\n${many(30, line)}\nFiles are sent by the system, unless \`SHOP_NO_SENDFILE\` is set.\n${many(30, line)}\n`,
    });
    const { items, tokens } = await context({ path, query: "SHOP_NO_SENDFILE" });
    expect(items.map((item) => item.path)).toEqual(["shop/files.py", "docs/routes.md"]);
    expect(items[1]!.text).toContain("unless `SHOP_NO_SENDFILE` is set");
    expect(tokens.used).toBeLessThan(400);
  });
});
