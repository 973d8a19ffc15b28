import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type Context, context, openWorkspace } from "../../src/index.ts";
import { splitLines } from "../../src/text/lines.ts";
import { runs, seedOf } from "../seed.ts";

const root = mkdtempSync(join(tmpdir(), "dossier-fresh-"));
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: root, stdio: "pipe" });

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A small generator with a seed, so that a failing run can be run again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const subjects = ["invoice", "session", "parser", "cache", "router", "token", "ledger", "queue"];

function makeFile(pick: (below: number) => number, extension: string): string {
  const count = 1 + pick(5);
  const parts: string[] = [];
  for (let i = 0; i < count; i++) {
    const name = `${subjects[pick(subjects.length)]}_${subjects[pick(subjects.length)]}_${pick(50)}`;
    const body = Array.from({ length: 1 + pick(6) }, (_, line) => `value_${pick(1000)} = ${line} + ${pick(1000)}`);
    if (extension === "py")
      parts.push(
        `def ${name}(x):\n    """Handles the ${name.replaceAll("_", " ")}."""\n${body.map((line) => `    ${line}`).join("\n")}\n    return x\n`,
      );
    else
      parts.push(
        `/** Handles the ${name.replaceAll("_", " ")}. */\nexport function ${name}(x) {\n${body.map((line) => `  const ${line};`).join("\n")}\n  return x;\n}\n`,
      );
  }
  return parts.join("\n\n");
}

/** Every printed line stands in the file on disk, where the citation says. */
function staleLines(result: Context): string[] {
  const stale: string[] = [];
  for (const item of result.items) {
    if (item.level === "pointer") continue;
    if (item.source === "commit") {
      const message = git("show", "-s", "--format=%B", item.path.slice("commit:".length)).toString().trim();
      if (!message.startsWith(item.text.split("\n")[0]!)) stale.push(`${item.path}: ${item.text}`);
      continue;
    }
    const path = join(root, item.path);
    if (!existsSync(path)) {
      if (item.freshness !== "stored") stale.push(`${item.path} is gone but was printed as ${item.freshness}`);
      continue;
    }
    const lines = splitLines(readFileSync(path, "utf8"));
    if (item.level === "full") {
      const onDisk = lines.slice(item.startLine - 1, item.endLine).join("\n");
      if (!onDisk.includes(item.text.trimEnd()) && !item.text.includes(onDisk))
        stale.push(`${item.path}:${item.startLine} ${item.name}`);
    }
    for (const line of item.text.split("\n")) {
      if (line.trim() !== "" && !lines.includes(line) && !/\.\.\./.test(line)) stale.push(`${item.path}: ${line}`);
    }
  }
  return stale;
}

const steps = runs(500, 80);

it(`prints no stale line over ${steps} random edits, renames, deletions and branch switches`, async () => {
  const pick = random(seedOf(process.env.DOSSIER_SEED) >>> 0);
  const files = new Set<string>();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    files.add(path);
  };
  git("init", "-q", "-b", "main");
  for (let i = 0; i < 12; i++)
    write(`src/${subjects[i % 8]}${i}.${i % 2 ? "py" : "js"}`, makeFile(pick, i % 2 ? "py" : "js"));
  git("add", "-A");
  git("commit", "-qm", "first");
  git("branch", "other");
  let branch = "main";
  let printed = 0;

  const workspace = await openWorkspace(root);
  try {
    for (let step = 0; step < steps; step++) {
      const present = [...files].filter((path) => existsSync(join(root, path)));
      const path = present[pick(present.length)] ?? "src/new0.js";
      const action = pick(10);
      if (action < 5 || present.length < 4) {
        const extension = path.endsWith("py") ? "py" : "js";
        const old = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
        // Half of the edits only move what is there: lines shift, text stays.
        write(
          path,
          pick(2) === 0 ? `${extension === "py" ? "#" : "//"} line ${step}\n${old}` : makeFile(pick, extension),
        );
      } else if (action < 7) {
        const moved = path.replace(/(\d+)?\.(py|js)$/, `${step}.$2`);
        renameSync(join(root, path), join(root, moved));
        files.add(moved);
      } else if (action < 8) {
        rmSync(join(root, path));
      } else if (action < 9) {
        write(`lib/${subjects[pick(8)]}${step}.py`, makeFile(pick, "py"));
      } else {
        git("add", "-A");
        git("commit", "-qm", `step ${step}`, "--allow-empty");
        branch = branch === "main" ? "other" : "main";
        git("checkout", "-q", branch);
        for (const listed of git("ls-files").toString().split("\n").filter(Boolean)) files.add(listed);
      }
      const query = `how is the ${subjects[pick(8)]} ${subjects[pick(8)]} handled`;
      // A query in between may run on an index that is older than the disk: the printed lines must still be true.
      const result = await context(
        { query, path: root, minScore: 0, maxTokens: 1500, refresh: pick(3) > 0 },
        { workspace },
      );
      expect(staleLines(result), `step ${step}, ${query}`).toEqual([]);
      printed += result.items.length;
    }
  } finally {
    await workspace.close();
  }
  expect(printed).toBeGreaterThan(2 * steps);
}, 240_000);
