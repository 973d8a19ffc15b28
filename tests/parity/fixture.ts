import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as library from "../../src/index.ts";
import { plant } from "../../src/learned/cluster/planted.samples.ts";
import { execute } from "../cli/run-cli.ts";
import { experienceRecord, longAgo, memoryRecord } from "../sample-records.ts";

/** Something of everything: code, documents, history, notes, memories, experiences, a library with a conversation. */
const commits: { message: string; author: string; at: string; files: Record<string, string> }[] = [
  {
    message: "Book amounts",
    author: "Ada <ada@example.org>",
    at: "2025-03-01T10:00:00Z",
    files: {
      "README.md":
        "# Ledger\n\nBooks amounts in cents, and closes on Fridays.\n\n## Rates\n\nThe bank says the rates.\n",
      "src/ledger.ts":
        'import { rateOf } from "./rates";\n\n/** Books an amount in cents. */\nexport function bookAmount(amount: number, currency: string): number {\n  return Math.round(amount * 100 * rateOf(currency));\n}\n',
      "src/rates.ts":
        "const rates: Record<string, number> = { EUR: 1, USD: 0.9 };\n\n/** What one unit of a currency is worth. */\nexport function rateOf(currency: string): number {\n  return rates[currency] ?? 1;\n}\n",
    },
  },
  {
    message: "Close the ledger on Fridays",
    author: "Grace <grace@example.org>",
    at: "2025-04-02T10:00:00Z",
    files: {
      "src/close.py":
        '"""Closing of the ledger."""\n\n\ndef close_ledger(day):\n    """Closes the ledger, on Fridays only."""\n    if day != "friday":\n        raise ValueError(day)\n    return True\n',
      "tests/test_close.py":
        "from src.close import close_ledger\n\n\ndef test_close():\n    assert close_ledger('friday')\n",
    },
  },
  {
    message: "Notes about the ledger",
    author: "Ada <ada@example.org>",
    at: "2025-05-03T10:00:00Z",
    files: {
      "vault/Apollo.md": "---\ntags: [project]\n---\n# Apollo\n\nMoves billing to the [[Ledger]]. Owned by [[Ada]].\n",
      "vault/Ledger.md": "# Ledger\n\nDouble entry, append only. #architecture\n",
      "vault/Ada.md": "# Ada\n\nKnows the bank. #person\n",
      "dossier.json": `${JSON.stringify({ notes: [{ name: "vault", from: "vault", kind: "vault" }] }, null, 2)}\n`,
    },
  },
];

const records = [
  memoryRecord("cents", "Amounts are kept in cents, because floats drift.", { category: "decision", importance: 0.9 }),
  memoryRecord("friday", "The ledger closes on Fridays.", { tags: ["closing"] }),
  experienceRecord("rates", { domain: "debugging", goal: "make the rates of the ledger add up" }),
];

const conversation = [
  '{"role":"user","content":"When does the ledger close?"}',
  '{"role":"assistant","content":"On Fridays, as README.md says."}',
].join("\n");

/** A folder for each surface: a workspace called `ledger`, and a home with the names of workspaces. */
export type SurfacePlace = { root: string; home: string };
/** `ids`: the random ones that were made with it. */
export type Fixture = { place(surface: string): SurfacePlace; ids: ReadonlySet<string>; remove(): void };

/**
 * Made once from files, git, imported records and a transcript, and copied: every surface begins with the same, and
 * without an index.
 */
export async function makeFixture(): Promise<Fixture> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "dossier-parity-")));
  const template = join(base, "template", "ledger");
  mkdirSync(template, { recursive: true });
  await git(template, "2025-01-01T00:00:00Z", "init", "-q", "-b", "main");
  for (const { message, author, at, files } of commits) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(template, path)), { recursive: true });
      writeFileSync(join(template, path), text);
      utimesSync(join(template, path), new Date(at), new Date(at));
    }
    await git(template, at, "add", ".");
    await git(template, at, "commit", "-q", "-m", message, "--author", author);
  }
  const ids = await fill(template);
  return {
    ids,
    place(surface) {
      const root = join(base, surface, "ledger");
      cpSync(template, root, { recursive: true, preserveTimestamps: true });
      const home = join(base, surface, "home");
      mkdirSync(home);
      const names = { workspaces: { ledger: { folder: root, aliases: ["books"] } } };
      writeFileSync(join(home, "workspaces.json"), JSON.stringify(names));
      return { root, home };
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

async function git(root: string, at: string, ...args: string[]): Promise<void> {
  const env = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at, GIT_CONFIG_GLOBAL: "/dev/null" };
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
  const { status, stderr } = await execute("git", [...identity, ...args], { cwd: root, env });
  if (status !== 0) throw new Error(stderr);
}

/** What was written down. Ids that are random are drawn here, once for all surfaces. */
async function fill(root: string): Promise<Set<string>> {
  const planted = plant({ topics: 3, perTopic: 10, unrelated: 4 }).map(({ id, created, experience }) => ({
    id,
    type: "experience",
    created,
    changed: created,
    body: experience,
  }));
  const ids = new Set<string>();
  const workspace = await library.openWorkspace(root);
  try {
    await (await workspace.records()).write(workspace.owner, [...records, ...planted] as typeof records);
    const kept = await workspace.library();
    const content =
      "# Closing\n\nThe books close when the last amount of Friday is booked.\n\n# Opening\n\nOn Mondays.\n";
    const document = await kept.putDocument(workspace.owner, { path: "guides/closing.md", content, at: longAgo });
    await library.importThread({ file: conversation, title: "Closing", path: root }, { workspace });
    const [thread] = (await library.threads({ path: root, messages: 10 }, { workspace })).threads;
    for (const id of [document.id, thread!.id, ...planted.map((each) => each.id)]) ids.add(id);
  } finally {
    await workspace.close();
  }
  const own = join(root, ".dossier");
  for (const name of readdirSync(own)) if (name.startsWith("index.db")) rmSync(join(own, name));
  return ids;
}
