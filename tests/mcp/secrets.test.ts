import { beforeAll, describe, expect, it } from "vitest";
import { folder, git } from "../../src/tree/folder.cases.ts";
import { agent } from "./agent.ts";

// Put together at run time: no line of this file may look like a secret itself.
const key = `sk-${"ant-"}api03-${"Ab3dEf6hIj9kLm2nOp5qRs8t".repeat(3)}`;

/** A key of a provider, planted wherever text comes from. */
let root: string;
beforeAll(() => {
  root = folder({
    "src/client.ts": `/** Talks to the vault with ${key}. */\nexport function openVault(): string {\n  return "${key}";\n}\n\nexport const used = openVault() + "${key}";\n`,
    "docs/vault.md": `# Vault\n\nThe vault's key is ${key}.\n`,
    "auth.json": `{"vault": "openVault"}\n`,
    ".npmrc": "vault=openVault\n",
    "keys/credentials": "vault openVault\n",
    "keys/vault.pem": "vault openVault\n",
  });
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A", "-f");
  git(root, "commit", "-q", "-m", `Open the vault with ${key}`);
});

describe("a key of a provider", () => {
  it("is masked wherever it stands, in every answer", async () => {
    const client = await agent({ cwd: root, args: ["--tools", "all"] });
    const texts: string[] = [];
    const call = async (name: string, given: Record<string, unknown>) => {
      for (const format of ["json", undefined]) {
        const asked = { ...given, ...(format && { format }) };
        const { content, isError } = await client.callTool({ name, arguments: asked });
        const { text } = (content as { text: string }[])[0]!;
        if (format && !isError) expect(JSON.parse(text), name).toBeTypeOf("object");
        texts.push(text);
      }
    };
    await call("remember", { content: `The vault takes ${key}`, force: true });
    const quoted = `password = "${"Tr0ub" + "4dor&3"}"`;
    await call("put_document", { document: "vault.md", content: `# Vault\n\nOpened with ${key}, ${quoted}.\n` });
    await call("thread", { step: "create", title: "Vault" });
    await call("say", { thread: "Vault", text: `Use ${key} for the vault.` });
    const attempt = { domain: "debugging", strategy: "read-the-error", goal: `vault ${key}` };
    const tried = { hypothesis: `key ${key}`, action: "open the vault", prediction: "it opens" };
    await call("experience", { step: "start", ...attempt, ...tried, force: true });
    const query = "how is the vault opened?";
    for (const name of ["context", "context_query", "assemble_context", "search", "experiences", "memories"])
      await call(name, { query });
    for (const show of ["text", "callers", "references", "outline"])
      await call("open", { targets: ["openVault"], show });
    await call("open", { targets: ["src/client.ts", "docs/vault.md:3", "src/"] });
    await call("prime_context", { message: query });
    await call("thread", { step: "show", thread: "Vault" });
    await call("get_document", { document: "vault.md" });
    await call("history", {});
    await call("why", { query, item: "openVault" });
    expect(texts.filter((text) => text.includes(key.slice(8, 40))).map((text) => text.slice(0, 300))).toEqual([]);
    expect(texts.join("\n")).toContain("[secret:anthropic-key:");
  });

  it("is not looked for in files whose name says that they hold secrets: those are not read", async () => {
    const client = await agent({ cwd: root, args: ["--tools", "all"] });
    const ask = async (name: string, given: Record<string, unknown>) => {
      const { content } = await client.callTool({ name, arguments: given });
      return (content as { text: string }[])[0]!.text;
    };
    const evidence = await ask("context_query", { query: "openVault", min_score: 0, limit: 100 });
    expect(evidence).toContain("src/client.ts");
    for (const path of ["auth.json", ".npmrc", "keys/credentials", "keys/vault.pem"]) {
      expect(evidence).not.toContain(path);
      expect(await ask("open", { targets: [path] })).toContain("is left out: it holds secrets");
    }
  });
});
