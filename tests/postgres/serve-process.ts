import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { cli } from "../cli/run-cli.ts";

/** `dossier serve` as a process of its own, gone when the test ends. */
export type ServeProcess = { child: ChildProcess; url: string; said(): string };

export async function serveProcess(
  root: string,
  env: Record<string, string | undefined>,
  ...args: string[]
): Promise<ServeProcess> {
  const child = spawn(process.execPath, [cli, "serve", "-C", root, "--port", "0", ...args], {
    stdio: "pipe",
    env: { ...process.env, ...env },
  });
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  let printed = "";
  child.stdout.resume();
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      printed += chunk;
      const address = / at (http:\S+);.*\n.*\n/.exec(printed)?.[1];
      if (address) resolve(address);
    });
    void ended.then(([status]) => reject(new Error(`It ended with ${status}: ${printed}`)));
  });
  return { child, url, said: () => printed };
}
