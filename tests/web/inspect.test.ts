import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { cli, folderWith } from "../cli/run-cli.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Starts it, waits for what it says, and stops it. */
async function inspect(args: string[], environment: Record<string, string>, until: RegExp): Promise<string[]> {
  const { folder, remove } = folderWith({ "a.md": "# A\n" });
  const child = spawn(process.execPath, [cli, "inspect", "-C", folder, ...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  cleanups.push(() => child.kill("SIGKILL"), remove);
  let output = "";
  const printed = await new Promise<RegExpExecArray>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      output += chunk;
      const match = until.exec(output);
      if (match) resolve(match);
    });
    child.on("close", (status) => reject(new Error(`It ended with ${status}: ${output}`)));
  });
  const page = await (await fetch(printed[1]!)).text();
  child.removeAllListeners("close");
  const closed = once(child, "close");
  child.kill("SIGTERM");
  expect(await closed).toEqual([0, null]);
  return [...printed, page];
}

describe.skipIf(process.platform === "win32")("dossier inspect", () => {
  it("prints the address without opening anything where it is told so", async () => {
    const [, , page] = await inspect(["--no-open", "--port", "0"], {}, /The inspector is at (http:\S+\/)\.\n/);
    expect(page).toContain("<title>Dossier</title>");
  });

  it("opens the browser at its address", async () => {
    const { folder: programs, remove } = folderWith({});
    cleanups.push(remove);
    const record = join(programs, "opened");
    for (const name of ["xdg-open", "open"]) {
      writeFileSync(join(programs, name), `#!/bin/sh\necho "$1" > ${record}\n`);
      chmodSync(join(programs, name), 0o755);
    }
    const path = `${programs}${delimiter}${process.env.PATH}`;
    const [, address] = await inspect(["--port", "0"], { PATH: path }, /Opened (http:\S+\/)\.\n/);
    await expect.poll(() => existsSync(record) && readFileSync(record, "utf8").trim()).toBe(address);
  });

  it("goes on without a browser, and says where to look", async () => {
    const { folder: nothing, remove } = folderWith({});
    cleanups.push(remove);
    const sentence = /No browser could be opened \(.*ENOENT.*\)\. Open (http:\S+\/) yourself\.\n/;
    await inspect(["--port", "0"], { PATH: nothing }, sentence);
  });
});
