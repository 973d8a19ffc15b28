import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, onTestFinished } from "vitest";
import { assemble } from "../../src/assemble.ts";
import {
  assembleContext,
  context,
  getPremortemContext,
  InvalidContextTypeError,
  remember,
  why,
} from "../../src/index.ts";
import { call } from "../../src/operations/core/call.ts";
import { memories } from "../../src/operations/memory/memories.ts";
import { contextInput, formatNames, requestOf } from "../../src/options.ts";
import { agent, contextTypes } from "../../src/recipes/agent.ts";
import type { RecordWrite } from "../../src/stores/records.ts";
import { openDatabase } from "../../src/stores/sqlite/engine/driver.ts";
import { openWorkspace, type Workspace } from "../../src/workspace/workspace.ts";
import { day, experienceRecord, longAgo, memoryRecord } from "../sample-records.ts";
import { folder, git } from "../workspace.ts";

const files = {
  "src/payments/client.ts": [
    "/** Talks to the payment provider. */",
    "export class PaymentClient {",
    "  /** Charges a card and retries when the provider is busy. */",
    "  async charge(card: string, cents: number): Promise<void> {",
    "    for (let attempt = 0; attempt < 3; attempt++) await this.send(card, cents);",
    "  }",
    "  private async send(card: string, cents: number): Promise<void> {}",
    "}",
    "",
  ].join("\n"),
  "src/users/login.ts": "export function login(name: string): boolean {\n  return name !== '';\n}\n",
};

/** A repository with some history, and these records. */
async function workspaceWith(
  records: RecordWrite[],
  options: { history?: boolean } = {},
): Promise<{ root: string; workspace: Workspace }> {
  const root = folder(files, { git: true });
  if (options.history !== false) {
    git(root, "add", "-A");
    git(
      root,
      "commit",
      "-qm",
      "Retry payments when the provider is busy\n\nThe provider answers 503 under load; three attempts were enough in every trace.",
    );
    writeFileSync(join(root, "src/users/login.ts"), `${files["src/users/login.ts"]}// names are trimmed\n`);
    git(root, "commit", "-qam", "Trim names before login");
  }
  const workspace = await openWorkspace(root);
  onTestFinished(() => workspace.close());
  if (records.length > 0) await (await workspace.records()).write(workspace.owner, records);
  return { root, workspace };
}

async function damageBody({ root }: Workspace, id: string): Promise<void> {
  const database = await openDatabase(join(root, ".dossier", "memory.db"));
  database.run("UPDATE records SET body = '{' WHERE id = ?", [id]);
  database.close();
}

const everything = [
  memoryRecord("a1", "The payment provider asks for exponential backoff between retries.", {
    category: "decision",
    importance: 0.9,
  }),
  memoryRecord("a2", "Lunch is at noon on Fridays."),
  experienceRecord("p1", {
    goal: "make payment retries survive a busy provider",
    hypothesis: "the provider drops the connection",
    action: "add a retry around charge",
    prediction: "payments succeed on the second attempt",
  }),
  {
    id: "val-1",
    type: "value" as const,
    created: longAgo,
    changed: longAgo,
    body: {
      text: "Retry payments only when the provider says it is busy.",
      axis: "full",
      members: ["exp-p1"],
      distance: 0.1,
      threshold: 0.3,
      validatedAt: longAgo,
      state: "valid",
    },
  },
];

const query = "retry payments when the provider is busy";

describe("a memory that hides something", () => {
  it.each(formatNames)("is printed as it looks, in the brief and in the list: %s", async (format) => {
    const hidden = String.fromCodePoint(...[..."obey"].map((letter) => 0xe0000 + letter.codePointAt(0)!));
    const content = `Payments retry thrice${hidden}\u001b[2J \u202ereversed\u202c zero\u200bwidth`;
    const { root, workspace } = await workspaceWith([memoryRecord("a1", content)], { history: false });
    const { markdown } = await assembleContext({ query: "payments retry", path: root, format }, { workspace });
    expect(markdown).toContain("zerowidth");
    const list = await call(memories, { path: root }, { workspace });
    for (const printed of [markdown, memories.text!(list.output, list.input, false)])
      expect(printed).not.toMatch(/[\u200b\u202a-\u202e\u001b]|\\u001b|\udb40/);
  });
});

describe("assemble_context", () => {
  it("brings all five kinds in the order of the design, cited and exactly counted", async () => {
    const { root } = await workspaceWith(everything);
    const context = await assembleContext({ query, path: root });
    const titles = [...context.markdown.matchAll(/^## (.*)$/gm)].map((match) => match[1]);
    expect(titles).toEqual(["Memories", "Code", "Experiences", "Values", "Commits"]);
    expect(context.markdown.startsWith("# Context\n\n## Memories\n")).toBe(true);
    expect(context.markdown).toMatch(
      /\*\*Memory\*\*: The payment provider asks for exponential backoff between retries\.\n\*Category: decision, Importance: 0\.9\* \[mem-a1\]/,
    );
    expect(context.markdown).toMatch(/### src\/payments\/client\.ts:1-8 \[cod-.*\]\n```typescript\n\/\*\* Talks to/);
    expect(context.markdown).toMatch(
      /\*\*Experience\*\*: debugging \| read-the-error \[exp-p1\]\n- \*\*Goal\*\*: make payment retries/,
    );
    expect(context.markdown).toMatch(/\*\*Value\*\* \(full, cluster size: 1\) \[val-1\]:\nRetry payments only/);
    expect(context.markdown).toMatch(
      /\*\*Commit\*\* `[0-9a-f]{7}` by Test on \d{4}-\d\d-\d\d \[com-[0-9a-f]+\]\nRetry payments when the provider is busy\n/,
    );
    expect(context.markdown).toMatch(/---\n\*\d+ items from 5 sources\*/);
    expect(context.token_count).toBe(countTokens(context.markdown));
    expect(context.token_count).toBeLessThanOrEqual(2000);
    const total = Object.values(context.sources_used).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(context.items.length);
    expect(Object.keys(context.sources_used).sort()).toEqual(["code", "commit", "experience", "memory", "value"]);
    expect(context.markdown).not.toContain("Lunch");
  });

  it("carries the metadata of every source", async () => {
    const { root } = await workspaceWith(everything);
    const { items } = await assembleContext({ query, path: root });
    const metadata = (source: string) => items.find((item) => item.source === source)?.metadata ?? {};
    expect(Object.keys(metadata("memory"))).toEqual(
      expect.arrayContaining(["id", "category", "importance", "created_at"]),
    );
    expect(Object.keys(metadata("code"))).toEqual(
      expect.arrayContaining(["file_path", "start_line", "end_line", "language", "qualified_name"]),
    );
    expect(Object.keys(metadata("experience"))).toEqual(
      expect.arrayContaining(["id", "domain", "strategy", "outcome_status", "confidence_tier", "iteration_count"]),
    );
    expect(Object.keys(metadata("value"))).toEqual(
      expect.arrayContaining(["id", "axis", "cluster_id", "cluster_size", "similarity_to_centroid"]),
    );
    expect(Object.keys(metadata("commit"))).toEqual(
      expect.arrayContaining(["sha", "author", "timestamp", "files_changed", "insertions", "deletions"]),
    );
    expect(items.every((item) => item.relevance > 0 && item.relevance <= 1)).toBe(true);
  });

  it("asks only what it is asked to", async () => {
    const { root } = await workspaceWith(everything);
    const { sources_used: used, markdown } = await assembleContext({
      query,
      path: root,
      contextTypes: ["memories", "values"],
    });
    expect(Object.keys(used).sort()).toEqual(["memory", "value"]);
    expect(markdown).not.toContain("## Code");
  });

  it("refuses a type that does not exist and lists those that do", async () => {
    const { root } = await workspaceWith([]);
    const wrong = assembleContext({ query, path: root, contextTypes: ["memories", "dreams"] });
    await expect(wrong).rejects.toBeInstanceOf(InvalidContextTypeError);
    await expect(wrong).rejects.toMatchObject({ code: "invalid-context-type" });
    await expect(wrong).rejects.toThrow(contextTypes.join(", "));
  });

  it("says which words it does not know where nothing matches, without failing", async () => {
    const { root } = await workspaceWith([]);
    const context = await assembleContext({ query: "zebra migration in the Serengeti", path: root });
    expect(context.items.filter(({ level }) => level !== "pointer")).toEqual([]);
    expect(context.markdown).toContain("Nothing here matches. Not in this workspace: zebra, migration, Serengeti.");
    expect(context.token_count).toBeLessThanOrEqual(150);
  });

  it("scores the records of a long task as those of a short one, and leaves out the weak", async () => {
    const about = "Make payment retries wait longer after each attempt, since the provider refuses whoever hurries. ";
    const more =
      "Guests at the desk complain about slow mornings, wet umbrellas, loud music, missing towels, cold soup and broken lifts, " +
      "so whoever rewrites this part should also think of the people who travel with children, dogs, bicycles or instruments.";
    const { root } = await workspaceWith([
      memoryRecord("b1", "The payment provider asks for exponential backoff between retries of one attempt."),
      memoryRecord("b2", "Receipts are numbered."),
      memoryRecord("b3", "Anything in the kitchen belongs to nobody."),
    ]);
    const options = { path: root, contextTypes: ["memories"] };
    for (const query of [about, about + more]) {
      const { items } = await assembleContext({ ...options, query });
      expect(items[0]!.metadata.id).toBe("mem-b1");
      expect(items[0]!.relevance).toBeGreaterThan(0.5);
    }
    const other = await assembleContext({ ...options, query: `${more} Nobody sends receipts.` });
    expect(other.markdown).toContain("Little here is certain. Not in this workspace: Guests,");
    const short = await assembleContext({ ...options, query: about });
    expect(short.markdown).not.toContain("kitchen");
  });

  it("puts importance, confidence and recency to work", async () => {
    const { root } = await workspaceWith([
      memoryRecord("low", "Payments are retried by the payment client in steps of one second.", { importance: 0.1 }),
      memoryRecord("high", "Payments are retried by the payment worker in steps of two seconds.", { importance: 1 }),
      experienceRecord("bronze", { goal: "retry payments of the bronze provider", tier: "bronze" }),
      experienceRecord("gold", { goal: "retry payments of the golden provider", tier: "gold" }),
    ]);
    const { items } = await assembleContext({ query: "retry payments", path: root });
    const ids = items.map((item) => item.id);
    expect(ids.indexOf("mem-high")).toBeLessThan(ids.indexOf("mem-low"));
    expect(ids.indexOf("exp-gold")).toBeLessThan(ids.indexOf("exp-bronze"));
    expect(items.find((item) => item.id === "mem-low")!.because.importance).toBeLessThan(0);
  });

  it("merges what says the same, whatever it came from, and keeps where it came from", async () => {
    const message =
      "Retry payments when the provider is busy\n\nThe provider answers 503 under load; three attempts were enough in every trace.";
    const { root } = await workspaceWith([memoryRecord("copy", message.toUpperCase())]);
    const { items, dropped } = await assembleContext({ query, path: root });
    const twins = items.filter(
      (item) => item.source === "memory" || (item.source === "commit" && item.merged.length > 0),
    );
    expect(twins).toHaveLength(1);
    expect(twins[0]!.merged[0]!.why).toMatch(/^same text in (memory|commit):/);
    expect(dropped.some(({ reason }) => reason === "duplicate")).toBe(true);
  });

  it("shows contradicting memories both, the newer first, and marks them", async () => {
    const { root } = await workspaceWith([
      memoryRecord("old", "The payment provider listens on port 8080.", { importance: 1 }, longAgo),
      memoryRecord("new", "The payment provider listens on port 9090.", { importance: 0.3 }, longAgo + 30 * day),
    ]);
    const { items, markdown } = await assembleContext({
      query: "on which port does the payment provider listen?",
      path: root,
    });
    expect(items.filter((item) => item.source === "memory").map((item) => item.id)).toEqual(["mem-new", "mem-old"]);
    expect(markdown).toContain("contradicts the older mem-old");
    expect(markdown).toContain("contradicted by the newer mem-new");
  });

  it("says what a memory names that no longer exists, and ranks it lower", async () => {
    const { root } = await workspaceWith([
      memoryRecord("stale", "Payment retries are configured in `src/payments/settings.ts`."),
      memoryRecord("true", "Payment retries are implemented in `src/payments/client.ts`."),
    ]);
    git(root, "mv", "src/payments/client.ts", "src/payments/provider.ts");
    writeFileSync(join(root, "src/payments/settings.ts"), "export const retries = 3;\n");
    git(root, "add", "-A");
    git(root, "commit", "-qm", "Move the client");
    git(root, "rm", "-q", "src/payments/settings.ts");
    git(root, "commit", "-qm", "Drop the settings");
    const sha = git(root, "rev-parse", "HEAD").slice(0, 7);
    const { markdown } = await assembleContext({ query: "payment retries", path: root });
    expect(markdown).toContain("src/payments/client.ts was renamed to src/payments/provider.ts");
    expect(markdown).toContain(`src/payments/settings.ts is gone since ${sha}`);
  });

  it("warns of a source that fails and answers from the others", async () => {
    const { root, workspace } = await workspaceWith(everything);
    await assembleContext({ query, path: root });
    await workspace.close();
    writeFileSync(join(root, ".dossier", "memory.db"), "this is no database at all, whatever its name says");
    const { warnings, sources_used: used } = await assembleContext({ query, path: root });
    expect(warnings).toEqual([expect.stringMatching(/memory\.db is not a database.*Put the file back from a backup/)]);
    expect(used.code).toBeGreaterThan(0);
    expect(used.commit).toBeGreaterThan(0);
    expect(used.memory).toBeUndefined();
  });

  it("prints the records that can be read where others are damaged, and says so once", async () => {
    const { root, workspace } = await workspaceWith([
      ...everything,
      memoryRecord("r1", "Payment retries stop after the third attempt, since the bank blocks cards."),
      memoryRecord("r2", "Retries of a payment are logged with the provider's own request number."),
      memoryRecord("r3", "Nobody may retry a payment by hand while the nightly settlement runs."),
    ]);
    const whole = await assembleContext({ query, path: root });
    expect(whole.sources_used.memory).toBeGreaterThan(2);
    await damageBody(workspace, "mem-a1");
    const { markdown, warnings, sources_used: used } = await assembleContext({ query, path: root });
    expect(used.memory).toBe(whole.sources_used.memory! - 1);
    expect(markdown).toContain("nightly settlement");
    expect(warnings).toEqual([
      expect.stringMatching(/^Not all .* can be read: .*memory\.db is damaged\. Put the file/),
    ]);
  });

  it("answers a question that nothing matches, although the records are damaged", async () => {
    const { root, workspace } = await workspaceWith([memoryRecord("a1", "Lunch is at noon.")], { history: false });
    await assembleContext({ query, path: root });
    await workspace.close();
    writeFileSync(join(root, ".dossier", "memory.db"), "this is no database at all, whatever its name says");
    const damaged = await assembleContext({ query: "zebra quagga", path: root, contextTypes: ["memories"] });
    expect(damaged.markdown).toContain("not all can be read");
  });

  it("answers from all else where a newer Dossier wrote the records, says so and leaves them alone", async () => {
    const { root, workspace } = await workspaceWith(everything);
    await assembleContext({ query, path: root });
    await workspace.close();
    const path = join(root, ".dossier", "memory.db");
    const database = await openDatabase(path);
    database.execute("PRAGMA user_version = 99");
    database.close();
    const sentence = /^Not all .* can be read: .* newer Dossier \(version 99.* Update Dossier/;
    const brief = await assembleContext({ query, path: root });
    expect(brief.sources_used.code).toBeGreaterThan(0);
    expect(brief.warnings).toEqual([expect.stringMatching(sentence)]);
    const answer = await context({ query, path: root });
    expect(answer.items.length).toBeGreaterThan(0);
    expect(answer.warnings).toContainEqual(expect.stringMatching(sentence));
    const premortem = await getPremortemContext({ domain: "debugging", path: root });
    expect(premortem.markdown + premortem.warnings).not.toContain("written down yet");
    await expect(remember({ content: "Lunch is at noon.", path: root })).rejects.toMatchObject({
      code: "records-newer",
    });
    const after = await openDatabase(path);
    expect(after.get("PRAGMA user_version")).toEqual({ user_version: 99 });
    after.close();
  });

  it("names no memory that is younger than the date it is asked for", async () => {
    const { root } = await workspaceWith([memoryRecord("a1", "Deploys happen on Wednesday.", {}, longAgo)]);
    const asked = (asOf: number) =>
      assembleContext({ query: "zebra", path: root, contextTypes: ["memories"], asOf: new Date(asOf).toISOString() });
    expect((await asked(longAgo + day)).items).toHaveLength(1);
    expect((await asked(longAgo - day)).items).toEqual([]);
  });

  it("warns of a source that is late and answers from the others", async () => {
    const { root, workspace } = await workspaceWith(everything);
    await assembleContext({ query, path: root });
    const slow: Workspace = { ...workspace, records: () => new Promise(() => undefined) };
    const recipe = agent();
    const asks = recipe.asks
      .map((ask) => (ask.source === "memory" ? { ...ask, deadline: 20 } : ask))
      .filter(({ source }) => source !== "experience" && source !== "value");
    const request = requestOf(contextInput.parse({ query, maxTokens: 2000, limit: 100, minScore: 0.1 }));
    const context = await assemble(slow, request, { ...recipe, asks });
    expect(context.warnings).toContain("Source memory did not answer: no answer within 20 ms");
    expect(context.items.length).toBeGreaterThan(0);
  });

  it("says by how much a soft budget was exceeded", async () => {
    const { root } = await workspaceWith(everything);
    const context = await assembleContext({ query, path: root, maxTokens: 100, budget: "soft" });
    expect(context.limit_exceeded).toBe(Math.max(0, context.token_count - 100));
  });

  it("is explained by `why`, for the citations it prints too", async () => {
    const { root } = await workspaceWith([
      experienceRecord("1k3fabcdef", { goal: "retry payments of a busy provider" }),
    ]);
    await assembleContext({ query, path: root });
    for (const item of ["[exp-1k3f]", "exp-1k3fabcdef", "exp-1k3fabcdef-surprise"]) {
      const explained = await why({ query, item, path: root, recipe: "agent", minScore: 0 });
      expect(explained.id).toBe(item.endsWith("surprise") ? "exp-1k3fabcdef-surprise" : "exp-1k3fabcdef");
    }
  });

  it("never shows one owner what another wrote down", async () => {
    const { root } = await workspaceWith(everything);
    const context = await assembleContext({ query, path: root }, { owner: "someone else" });
    expect(
      context.items.filter(({ source }) => source === "memory" || source === "experience" || source === "value"),
    ).toEqual([]);
  });
});

describe("get_premortem_context", () => {
  const past = [
    ...Array.from({ length: 8 }, (_, i) =>
      experienceRecord(`fail${i}`, { tier: i % 2 ? "gold" : "bronze" }, longAgo + i * day),
    ),
    experienceRecord("won", {
      outcome: { status: "confirmed", result: "it worked", capturedAt: longAgo, autoCaptured: false },
    }),
    experienceRecord("elsewhere", { domain: "security" }),
    experienceRecord("tried", { domain: "feature", strategy: "trial-and-error" }),
  ];

  it("has every section of the design, and in each of them an experience once", async () => {
    const { root } = await workspaceWith(past, { history: false });
    const context = await getPremortemContext({
      domain: "debugging",
      strategy: "trial-and-error",
      path: root,
      maxTokens: 4000,
    });
    expect(context.markdown.startsWith("# Premortem: debugging with trial-and-error\n")).toBe(true);
    const titles = [...context.markdown.matchAll(/^## (.*)$/gm)].map((match) => match[1]);
    expect(titles).toEqual(["Common Failures", "Strategy Performance", "Unexpected Outcomes", "Root Causes to Watch"]);
    expect(new Set(context.items.map(({ id }) => id)).size).toBe(context.items.length);
    const experiences = [...new Set(context.items.map((item) => item.metadata.id))];
    expect(context.markdown).toContain(`*Based on ${experiences.length} past experiences*`);
    expect(experiences).not.toContain("exp-elsewhere");
    expect(experiences).not.toContain("exp-won");
    expect(context.token_count).toBe(countTokens(context.markdown));
  });

  it("prints both surprises and both root causes of two failures, in their sections, once each and whole", async () => {
    const long = (what: string) => Array.from({ length: 60 }, (_, i) => `${what} word ${i}`).join(" ");
    const failed = ["one", "two"].map((id) =>
      experienceRecord(id, {
        surprise: `the surprise of ${id}: ${long(id)}`,
        rootCause: { category: "oversight", description: `the cause of ${id}: ${long(`why ${id}`)}` },
      }),
    );
    const { root } = await workspaceWith(failed, { history: false });
    const { markdown } = await getPremortemContext({ domain: "debugging", path: root });
    const [, failures, surprises, causes] = markdown.split(/^## .*$/m);
    for (const id of ["one", "two"]) {
      const surprise = `the surprise of ${id}: ${long(id)}`;
      const cause = `the cause of ${id}: ${long(`why ${id}`)}`;
      expect(failures).toContain(`find out why ${id} fails`);
      expect(surprises).toContain(surprise);
      expect(causes).toContain(cause);
      for (const text of [surprise, cause]) expect(markdown.split(text)).toHaveLength(2);
    }
  });

  it("leaves the strategy out when none is given, and stays within its budget", async () => {
    const { root } = await workspaceWith(past, { history: false });
    for (const maxTokens of [100, 300, 1500]) {
      const context = await getPremortemContext({ domain: "debugging", path: root, maxTokens });
      expect(context.token_count).toBeLessThanOrEqual(maxTokens);
      expect(context.markdown).not.toContain("Strategy Performance");
    }
  });

  it("answers in an empty workspace", async () => {
    const { root } = await workspaceWith([], { history: false });
    const context = await getPremortemContext({ domain: "security", path: root });
    expect(context.items).toEqual([]);
    expect(context.warnings).toContain("Nothing that went wrong in security is written down yet.");
  });

  it("does not say that nothing is written down where it cannot be read", async () => {
    const { root, workspace } = await workspaceWith([experienceRecord("one", {})], { history: false });
    const domain = "debugging";
    expect((await getPremortemContext({ domain, path: root })).items.length).toBeGreaterThan(0);
    await damageBody(workspace, "exp-one");
    const damaged = await getPremortemContext({ domain, path: root });
    expect(damaged.markdown).toContain("not all can be read");
    expect(damaged.markdown + damaged.warnings).not.toContain("written down yet");
    await workspace.close();
    writeFileSync(join(root, ".dossier", "memory.db"), "this is no database at all, whatever its name says");
    const lost = await getPremortemContext({ domain, path: root });
    expect(lost.markdown + lost.warnings).not.toContain("written down yet");
    expect(readFileSync(join(root, ".dossier", "memory.db"), "utf8")).toMatch(/^this is no database/);
  });

  it("names what is known of other domains where nothing is known of this one", async () => {
    const { root } = await workspaceWith(past, { history: false });
    const { items, markdown, token_count } = await getPremortemContext({ domain: "performance", path: root });
    expect(markdown).toContain("Nothing that went wrong in performance is written down yet.");
    expect(items.length).toBeGreaterThan(0);
    expect(items.every(({ level, source }) => level === "pointer" && source === "experience")).toBe(true);
    expect(token_count).toBeLessThanOrEqual(150);
  });

  it("brings the principles that belong to the domain", async () => {
    const value = (id: string, text: string, members: string[]) => ({
      ...everything[3]!,
      id,
      body: { ...(everything[3]!.body as object), text, members },
    });
    const { root } = await workspaceWith(
      [
        ...past,
        value("val-mine", "Check the cache first.", ["exp-fail1", "exp-fail2"]),
        value("val-other", "Rotate the keys.", ["exp-elsewhere"]),
      ],
      { history: false },
    );
    const { markdown } = await getPremortemContext({ domain: "debugging", path: root });
    expect(markdown).toContain("## Relevant Principles");
    expect(markdown).toContain("Check the cache first.");
    expect(markdown).not.toContain("Rotate the keys.");
  });
});
