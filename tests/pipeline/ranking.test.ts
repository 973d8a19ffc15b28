import { describe, expect, it } from "vitest";
import { context, search, why } from "../../src/index.ts";
import { folder, git } from "../workspace.ts";

const shop = {
  "src/payments/process.ts": `import { charge } from "./gateway.ts";
import { log } from "../../log.ts";
import { unusedThing } from "../../unused.ts";

/** Takes the money for an order and records the payment. */
export async function processPayment(order: Order): Promise<Receipt> {
  const receipt = await charge(order.total, order.card);
  log("paid", receipt.id);
  return receipt;
}

/** Gives the money back. */
export async function refundPayment(receipt: Receipt): Promise<void> {
  log("refunded", receipt.id);
}
`,
  "src/payments/gateway.ts": `/** Talks to the card network. */
export async function charge(total: number, card: Card): Promise<Receipt> {
  return fetchReceipt(total, card);
}
`,
  "src/checkout.ts": `import { processPayment } from "./payments/process.ts";

export class Checkout {
  /** The last step of the shopping cart. */
  async finish(cart: Cart) {
    return processPayment(cart.order);
  }
}
`,
  "src/log.ts": "export function log(event: string, id: string) {\n  console.log(event, id);\n}\n",
  "src/unused.ts": "export const unusedThing = 1;\n",
  "src/session.py": `class SessionStore:
    """Keeps sessions of signed-in users."""

    def expire(self, session_key):
        """Remove a session whose time is over."""
        del self.cache[session_key]
`,
  "tests/process.test.ts": `import { processPayment } from "../src/payments/process.ts";
it("processes a payment", async () => { await processPayment(order) });
`,
  "docs/guide.md": "# Guide\n\nWelcome.\n\n## Refunds\n\nA refund is made within three days of the payment.\n",
};

const first = async (query: string, root: string, more = {}) =>
  (await search({ query, path: root, ...more })).results[0];

describe("ranking", () => {
  it("gives the module that has a dotted name, before what ends in it or in its last part", async () => {
    const root = folder({
      "lib/shop/endpoint.ex": "defmodule Shop.Endpoint do\n  def start(port) do\n    listen(port)\n  end\nend\n",
      "lib/admin.ex": "defmodule Admin do\n  defmodule Shop.Endpoint do\n    def stop, do: :ok\n  end\nend\n",
      "assets/endpoint.js": "export class Endpoint {\n  connect() {\n    return open();\n  }\n}\n",
      "guides/start.md": "# Start\n\n## Endpoint\n\nThe Shop.Endpoint module accepts connections.\n",
      "app/plan.rb": "class Shop::Plan\n  def price\n    1\n  end\nend\n",
    });
    const found = (await search({ query: "Shop.Endpoint", path: root })).results.map(({ path }) => path);
    expect(found.slice(0, 2)).toEqual(["lib/shop/endpoint.ex", "lib/admin.ex"]);
    expect(await first("Shop::Plan", root)).toMatchObject({ name: "Plan", path: "app/plan.rb" });
  });

  it("gives what is written just so, not what another case makes of it; a definition before its aliases", async () => {
    const root = folder({
      "lib/space.rb": "class Rake::NameSpace\n  def lookup\n    1\n  end\nend\n",
      "lib/dsl.rb": "def namespace(name)\n  name\nend\n",
      "lib/client.lua": "local parse_conf = utils.parse_conf\n\nreturn parse_conf\n",
      "lib/utils.lua":
        "local function parse_conf(path)\n  local file = open(path)\n  return read(file)\nend\n\nreturn { parse_conf = parse_conf }\n",
      "server.py":
        'import os\n\ndef workers():\n    return int(os.environ.get("WEB_CONCURRENCY", 1))\n\ndef web_concurrency(value):\n    return value\n',
    });
    expect(await first("NameSpace", root)).toMatchObject({ path: "lib/space.rb" });
    expect(await first("parse_conf", root)).toMatchObject({ path: "lib/utils.lua" });
    const { text } = await context({ query: "WEB_CONCURRENCY", path: root });
    expect(text).toContain("os.environ.get");
  });

  it("begins with the code, however many words of the question a commit message repeats", async () => {
    const root = folder({
      "lib/merge.js":
        "/** Puts two objects together. */\nexport function mergeConfig(first, second) {\n  const result = { ...first };\n  for (const key of Object.keys(second)) result[key] = second[key];\n  return result;\n}\n",
      "lib/send.js":
        'import { mergeConfig } from "./merge.js";\n\nexport function send(request) {\n  const config = mergeConfig(standard, request);\n  return transport(config);\n}\n',
    });
    git(root, "init", "-q");
    git(root, "add", ".");
    git(
      root,
      ...["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m"],
      "Explain how configs are merged between the defaults and a request\n\nConfigs of a request are merged with defaults, and defaults of configs between requests stay.",
    );
    const { items } = await context({ query: "how are configs merged between defaults and request?", path: root });
    expect(items[0]!.source).toBe("code");
    expect(items.map(({ path }) => path)).toEqual(expect.arrayContaining(["lib/send.js", "lib/merge.js"]));
  });

  it("prints what a name means, not what a bundler made of it", async () => {
    const body = "  const result = { ...config };\n  result.url = build(config.base, config.url);\n  return result;\n";
    const root = folder({
      "lib/resolveConfig.js": `export default (config) => {\n${body}};\n`,
      "lib/send.js":
        'import resolveConfig from "./resolveConfig.js";\nexport const send = (c) => go(resolveConfig(c));\n',
      "lib/go.js": "export function go(config) {\n  return config;\n}\n",
      "dist/bundle.js": `const resolveConfig = (config) => {\n${body}};\nconst send = (c) => go(resolveConfig(c));\n`,
    });
    const { items, text } = await context({ query: "resolveConfig", path: root });
    expect(items[0]).toMatchObject({ name: "resolveConfig", path: "lib/resolveConfig.js", level: "full" });
    expect(text).toContain("lib/send.js:2");
    expect(items.filter(({ path }) => path.startsWith("dist/"))).toEqual([]);
  });

  it("tells a name with its mark from the one without", async () => {
    const root = folder({
      "a.rb":
        "class Basket\n  def save(file)\n    write(file)\n  end\n\n  def save!(file)\n    save(file) || raise\n  end\nend\n",
    });
    for (const [query, name] of [
      ["save!", "save!"],
      ["what does save! do?", "save!"],
      ["what does save do?", "save"],
      ["where is save?", "save"],
    ] as const)
      expect([query, (await first(query, root))!.name]).toEqual([query, name]);
  });

  it("ranks a definition above its prototypes, whatever file holds them", async () => {
    const prototypes = Object.fromEntries(
      ["a", "m", "z"].map((name) => [`${name}.h`, "/* Gets a byte. */\nint ring_get(struct ring *ring);\n"]),
    );
    const root = folder({
      ...prototypes,
      "ring.c": "int ring_get(struct ring *ring)\n{\n    return ring->head--;\n}\n",
    });
    expect((await first("ring_get", root))?.path).toBe("ring.c");
    expect((await first("what does `ring_get` give?", root))?.path).toBe("ring.c");
  });

  it("finds the line of a field, an enum's member or a variable that is asked for by name", async () => {
    const root = folder({
      ...shop,
      "src/config.ts": "export interface Config {\n  /** How long. */\n  maxIdle: number;\n}\n\nlet lastUsed = 0;\n",
      "src/state.py":
        "class State(Enum):\n    HALF_OPEN = 1\n\n    def __init__(self):\n        self.opened_at = now()\n",
    });
    const places: [string, number][] = [
      ["maxIdle", 3],
      ["Config.maxIdle", 3],
      ["lastUsed", 6],
      ["HALF_OPEN", 2],
      ["State.opened_at", 5],
    ];
    for (const [name, line] of places) {
      const best = await first(name, root);
      expect([name, best?.kind, best!.startLine <= line && line <= best!.endLine]).toEqual([name, "field", true]);
    }
  });

  it("ranks a file by what is in its parts, and a part by its file, whatever kinds are asked for", async () => {
    const root = folder(shop);
    const files = await search({ query: "gives the money back", path: root, types: ["file"], minScore: 0 });
    expect(files.results[0]?.path).toBe("src/payments/process.ts");
    expect(files.results.every(({ kind }) => kind === "file")).toBe(true);
    expect(files.results[0]?.because).toHaveProperty("bestUnit");
    const units = await search({ query: "src/payments/gateway.ts", path: root, types: ["function"], minScore: 0 });
    expect(units.results[0]?.name).toBe("charge");
    expect(units.results.every(({ kind }) => kind === "function")).toBe(true);
  });

  it("meets a word by another form of it, and by another word for it", async () => {
    const root = folder(shop);
    expect((await first("erase a session", root))?.name).toBe("expire");
    expect((await first("how was the money took?", root))?.name).toBe("processPayment");
  });

  it("lets a question's language count little among code of that language", async () => {
    const root = folder({
      "src/python_version.py": 'def python_version():\n    """The version of python."""\n    return 3\n',
      "src/text.py": 'def read_lines(path):\n    """Reads all lines of a file."""\n    return open(path).readlines()\n',
      "src/net.py": 'def send(packet):\n    """Sends a packet."""\n    return packet\n',
    });
    expect((await first("python read the lines of a file", root))?.name).toBe("read_lines");
  });

  it("ranks the definition above its callers and tests", async () => {
    const { results } = await search({ query: "processPayment", path: folder(shop), minScore: 0 });
    expect(results[0]?.qualifiedName).toBe("src/payments/process.ts::processPayment");
    const test = results.findIndex((each) => each.path.startsWith("tests/"));
    const caller = results.findIndex((each) => each.path === "src/checkout.ts");
    expect(test === -1 || caller < test).toBe(true);
  });

  it("finds by words, by a misspelt name, by a path and by a stack trace", async () => {
    const root = folder(shop);
    expect((await first("how do sessions expire?", root))?.name).toBe("expire");
    expect((await first("procesPayment", root))?.name).toBe("processPayment");
    expect((await first("payments/gateway.ts", root))?.path).toBe("src/payments/gateway.ts");
    expect((await first("Error: declined\n    at charge (/srv/app/src/payments/gateway.ts:3:10)", root))?.name).toBe(
      "charge",
    );
  });

  it("shows the line that was asked for, wherever it is", async () => {
    const methods = (count: number) =>
      Array.from(
        { length: count },
        (_, i) => `    def query_${i}(self):\n        return self.query(${i})\n\n    query_${i}.alters_data = True\n`,
      ).join("\n");
    const text = `import os\n\n\nclass QuerySet:\n    """Queries."""\n\n${methods(300)}`;
    const root = folder({ "src/query.py": text, "src/sql/query.py": "def sql():\n    return 1\n" });
    const line = text.split("\n").indexOf("    query_200.alters_data = True") + 1;
    for (const maxTokens of [500, 4000])
      for (const path of ["query.py", "src/query.py"]) {
        const { text: answer } = await context({ query: `${path}:${line}`, path: root, maxTokens });
        expect(answer).toContain("class QuerySet");
        expect(answer).toContain(
          "    def query_200(self):\n        return self.query(200)\n\n    query_200.alters_data = True",
        );
      }
    expect((await context({ query: "src/query.py:1", path: root })).text).toContain("import os\n");
  });

  it("ranks an implementation of the asked name above overrides that only hand on to it", async () => {
    const override = (field: string) =>
      `class Manager:\n    def get_or_create(self, **values):\n        values["${field}"] = self.${field}\n        return super().get_or_create(**values)\n`;
    const root = folder({
      "src/generic.py": override("content"),
      "src/related.py": override("instance"),
      "src/query.py": `class QuerySet:
    def get_or_create(self, defaults=None, **values):
        """
        Look up an object with these values, and create one if there is none.
        """
        try:
            return self.get(**values), False
        except self.model.DoesNotExist:
            return self.create(**values, **defaults), True
`,
    });
    expect((await first("get_or_create", root))?.path).toBe("src/query.py");
  });

  it("takes a name that is only written somewhere for that name, not for a misspelt other one", async () => {
    const root = folder({
      ...shop,
      "src/auth.go": "package auth\n\n// see procesPaymentX for details\nfunc Login() {}\n",
    });
    expect((await first("procesPaymentX", root))?.path).toBe("src/auth.go");
  });

  it("takes a name as it is written, where something is defined by just that name", async () => {
    const root = folder({
      "src/form.py": "class Field:\n    def clean(self):\n        return 1\n",
      "src/farm.py": "def field():\n    return 2\n",
    });
    const symbols = async (query: string) =>
      (await search({ query, path: root, types: ["class", "function"], minScore: 0 })).results
        .filter(({ because }) => (because.symbol ?? 0) > 0)
        .map(({ name }) => name);
    expect(await symbols("Field")).toEqual(["Field"]);
    expect(await symbols("field")).toEqual(["field"]);
    expect((await symbols("FIELD")).sort()).toEqual(["Field", "field"]);
  });

  it("looks for what a report tells of in the file that it is about, more than in what sounds like its title", async () => {
    const root = folder({
      "src/upload.py": `"""Uploads: parts, sessions and their checksums."""

def open_session(upload):
    """Begin an upload; its parts follow."""
    return Session(upload)

def send_part(session, part):
    """Send one part of an upload and compare its checksum."""
    session.write(part)
    session.compare(part.checksum)

def close_session(session):
    """End an upload once every part is there."""
    session.close()
`,
      "src/lamp.py": 'def part_is_slow(lamp):\n    """A slow part."""\n    return lamp\n',
      "src/door.py": 'def open_door(door):\n    """Opens it."""\n    return door\n',
    });
    const report = `A slow part is lost

When an upload has several parts and the session is closed early, the checksum of a part is never compared.

The upload ends as if every part were there.
`;
    const { results } = await search({ query: report, path: root, types: ["function"], minScore: 0 });
    expect(results[0]?.path).toBe("src/upload.py");
    expect(results.map(({ name }) => name)).toContain("part_is_slow");
  });

  it("does not prefer the short function to the long one that has more of what a report says", async () => {
    const steps = Array.from({ length: 6 }, (_, i) => `    step_${i} = prepare(stage_${i}, level_${i})`).join("\n");
    const root = folder({
      "src/press.py": `def print_sheet(sheet, ink):
${steps}
    margin = sheet.margin
    rotate(sheet, margin)
    dry(ink)


def margin_of(sheet):
    return rotate(sheet.margin)
`,
      "src/door.py": "def open_door(door):\n    return door\n",
    });
    const report =
      "The page comes out askew\n\nWhoever rotates it finds the margin wrong.\n\nThe ink is dry by then.\n";
    const { results } = await search({ query: report, path: root, types: ["function"], minScore: 0 });
    expect(results[0]?.name).toBe("print_sheet");
  });

  it("says that little is certain where nothing is about the question, and names the words that are not there", async () => {
    const root = folder(shop);
    for (const query of [
      "sourdough hydration ratio",
      "zqxv wblort",
      "kubernetes ingress annotations for the tokio runtime",
    ]) {
      const { text, tokens, confidence } = await context({ query, path: root });
      expect(text, query).toMatch(/^\*(?:Little here is certain|Nothing here matches)\. Not in this workspace: \w+/);
      expect(confidence).toBeLessThan(1 / 3);
      expect(tokens.used).toBeLessThan(1000);
    }
  });

  it("says nothing of words that only ask, and is as sure without them", async () => {
    const root = folder(shop);
    const plain = await context({ query: "how does the card network take the money", path: root });
    const asking = await context({
      query: "how does the card network take the money of somebody",
      path: root,
    });
    expect(asking.text).not.toContain("Not in this workspace");
    expect(asking.confidence).toBeGreaterThan(plain.confidence - 0.1);
  });

  it("is sure of a long question whose words are all known, though no item has most of them", async () => {
    const query =
      "When the shopping cart is at its last step, how do the card network, the log, the cache of signed users and the session store come together, who is over time, and what is kept back or removed?";
    const { text, confidence } = await context({ query, path: folder(shop) });
    expect(confidence).toBeGreaterThan(1 / 3);
    expect(text).not.toContain("Little here is certain");
  });

  it("lets one hit alone survive", async () => {
    const root = folder({ "a.py": "def lonely_function():\n    return 1\n" });
    const { results } = await search({ query: "lonely_function", path: root });
    expect(results[0]?.name).toBe("lonely_function");
    expect(results[0]!.score).toBeGreaterThan(0.3);
  });

  it("obeys filters of type, path, language and tests", async () => {
    const root = folder(shop);
    const all = async (more: object) =>
      (await search({ query: "payment refund session", path: root, minScore: 0, ...more })).results;
    expect((await all({ types: ["class"] })).every((each) => each.kind === "class")).toBe(true);
    expect(
      (await all({ paths: ["src/**", "!src/payments/**"] })).every((each) => /^src\/(?!payments)/.test(each.path)),
    ).toBe(true);
    expect((await all({ languages: ["python"] })).map((each) => each.path)).toEqual(
      expect.arrayContaining(["src/session.py"]),
    );
    expect((await all({ languages: ["python"] })).every((each) => each.language === "python")).toBe(true);
    expect((await all({ tests: "exclude" })).some((each) => each.path.startsWith("tests/"))).toBe(false);
    const files = await all({ types: ["file", "document"] });
    expect(files.length).toBeGreaterThan(0);
    expect(files.every((each) => each.kind === "file" || each.kind === "document")).toBe(true);
  });

  it("is the same for the same input", async () => {
    const root = folder(shop);
    const once = await context({ query: "payment", path: root });
    const twice = await context({ query: "payment", path: root });
    expect(twice.text).toBe(once.text);
  });
});

describe("context", () => {
  it("prints the used imports once, the context lines and the citation", async () => {
    const { text, items } = await context({ query: "processPayment", path: folder(shop), contextLines: 0 });
    expect(text).toContain('import { charge } from "./gateway.ts";');
    expect(text).not.toContain("unusedThing }");
    expect(text.match(/import \{ charge \}/g)).toHaveLength(1);
    expect(text).toContain(items[0]!.citation.id);
    expect(text).toContain("### src/payments/process.ts\n");
  });

  it("prints no tests that stand beside the code, and does not list them, where they are excluded", async () => {
    const root = folder({
      "src/channel.rs": `pub fn channel(size: usize) -> Buffer {
    Buffer::new(size)
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn channel_keeps_its_size() {
        assert_eq!(channel(3).size, 3);
    }
}
`,
    });
    const text = async (tests: "exclude" | "auto", query: string) => (await context({ query, path: root, tests })).text;
    for (const query of ["channel", "src/channel.rs", "how does a channel keep its size"]) {
      expect(await text("exclude", query)).not.toContain("channel_keeps_its_size");
      expect(await text("exclude", query)).toContain("Buffer::new(size)");
    }
    expect(await text("auto", "src/channel.rs")).toContain("channel_keeps_its_size");
  });

  it("groups code before documentation, and ends with the sources where items stand alone", async () => {
    const { text } = await context({ query: "refund payment", path: folder(shop), layout: "entities", fill: true });
    expect(text.indexOf("## Relevant Code")).toBeGreaterThan(-1);
    expect(text.indexOf("## Related Documentation")).toBeGreaterThan(text.indexOf("## Relevant Code"));
    expect(text).toContain("**Sources:**");
  });

  it("brings what the best item calls where there is room to fill", async () => {
    const { items } = await context({ query: "processPayment", path: folder(shop), fill: true });
    expect(items.map((item) => item.name)).toContain("charge");
  });

  it("keeps counts that add up", async () => {
    const { summary, items, dropped } = await context({
      query: "payment",
      path: folder(shop),
      maxTokens: 200,
      minScore: 0,
    });
    expect(summary.included).toBe(items.length);
    expect(summary.excluded).toBe(dropped.length);
    expect(new Set([...items, ...dropped].map(({ id }) => id)).size).toBe(items.length + dropped.length);
  });
});

describe("why", () => {
  it("names rank, signals and the smallest budget at which an item enters", async () => {
    const root = folder(shop);
    const explained = await why({ query: "payment", item: "refundPayment", path: root, maxTokens: 64, minScore: 0 });
    expect(explained.rank).toBeGreaterThan(0);
    expect(Object.keys(explained.because ?? {}).length).toBeGreaterThan(0);
    const budget = explained.smallestBudget!;
    const names = async (maxTokens: number) =>
      (await context({ query: "payment", path: root, maxTokens, minScore: 0 })).items.flatMap((item) => [
        item.name,
        ...item.merged.map((each) => each.name),
      ]);
    expect(await names(budget)).toContain("refundPayment");
  });

  it("names a budget above the one asked for where an item was left out", async () => {
    const asked = { query: "payment", path: folder(shop), maxTokens: 200, minScore: 0 };
    const { dropped } = await context(asked);
    expect(dropped.length).toBeGreaterThan(0);
    for (const { id } of dropped)
      expect((await why({ ...asked, item: id })).smallestBudget ?? Infinity).toBeGreaterThan(200);
  });
});
