import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpPage } from "../../scripts/http-page.ts";
import { cli, execute } from "../cli/run-cli.ts";

/** A command of the page, and what it shows as its answer. */
type Step = { command: string; answer?: { type: string; text: string } };

function stepsOf(page: string): Step[] {
  const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, type, text]) => ({
    type: type!,
    text: text!,
  }));
  return blocks.flatMap(({ type, text }, at): Step[] => {
    if (type !== "sh") return [];
    const next = blocks[at + 1];
    return [{ command: text, ...(next && ["json", "text"].includes(next.type) && { answer: next }) }];
  });
}

/** What is shown must be there; `…` in it stands for anything. */
function matcher(shown: unknown): unknown {
  if (typeof shown === "string") {
    if (!shown.includes("…")) return shown;
    const parts = shown.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return expect.stringMatching(new RegExp(`^${parts.join("[\\s\\S]*")}$`));
  }
  if (Array.isArray(shown)) {
    return shown.length === 0 ? [] : expect.arrayContaining(shown.map(matcher));
  }
  if (typeof shown !== "object" || shown === null) return shown;
  return expect.objectContaining(Object.fromEntries(Object.entries(shown).map(([key, each]) => [key, matcher(each)])));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Where no curl is installed, what the page needs of it. */
const curl = `
const [url, options] = [process.argv.at(-1), process.argv.slice(2, -1)];
const headers = {};
let body, fails = false;
for (let at = 0; at < options.length; at++) {
  const option = options[at];
  if (option === "-H") { const [name, ...value] = options[++at].split(": "); headers[name] = value.join(": "); }
  else if (option === "-d") body = options[++at];
  else if (/^-[sfN]+$/.test(option)) fails ||= option.includes("f");
  else throw new Error("curl is not installed, and nobody taught this one " + option);
}
try {
  const response = await fetch(url, { method: body === undefined ? "GET" : "POST", headers, body });
  if (fails && !response.ok) process.exit(22);
  process.stdout.write(await response.text());
} catch (error) {
  process.exit(7);
}
`;

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "dossier-page-")));
  const program = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  };
  program("dossier", `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  try {
    execFileSync("curl", ["--version"]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    writeFileSync(join(folder, "curl.mjs"), curl);
    program("curl", `#!/bin/sh\nexec "${process.execPath}" "${join(folder, "curl.mjs")}" "$@"\n`);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("docs/http.md", () => {
  it("is as the program states it (npm run docs rewrites)", async () => {
    expect(readFileSync("docs/http.md", "utf8")).toBe(await httpPage());
  });

  it("shows commands that work, and what they answer", async () => {
    const steps = stepsOf(readFileSync("docs/http.md", "utf8"));
    expect(steps.length).toBeGreaterThan(10);
    const port = String(await freePort());
    const ends = "=== that was it ===";
    const script = [
      "set -e",
      "trap 'test -z \"$SERVER\" || kill $SERVER 2> /dev/null || true' EXIT",
      ...steps.map(({ command }) => `${command.replaceAll("8137", port)}\necho; echo "${ends}"`),
    ].join("\n");
    let limit: NodeJS.Timeout | undefined;
    const { status, stdout, stderr } = await execute("bash", ["-c", script], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env.PATH}`, DOSSIER_KEY: "" },
      // A server that does not start would be waited for without end.
      started: (child) => (limit = setTimeout(() => child.kill(), 45_000)),
    });
    clearTimeout(limit);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const answers = stdout.split(`${ends}\n`);
    for (const [at, { command, answer }] of steps.entries()) {
      if (!answer) continue;
      const printedAnswer = answers[at]!.trim();
      const shown = answer.type === "json" ? matcher(JSON.parse(answer.text)) : answer.text.trim();
      expect({ command, said: answer.type === "json" ? JSON.parse(printedAnswer) : printedAnswer }).toEqual({
        command,
        said: shown,
      });
    }
  });

  it("links to nothing that is not there", () => {
    const page = readFileSync("docs/http.md", "utf8");
    for (const [, path] of page.matchAll(/`(examples\/[\w.-]+)`/g)) expect(readFileSync(resolve(path!))).toBeTruthy();
  });
});
