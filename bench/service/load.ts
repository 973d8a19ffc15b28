import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { percentile, row } from "../shared/figures.ts";

/**
 * Many clients of one server at the same time: `dossier serve` as a process of its own on loopback, asked on kept
 * connections without a pause. Times on a shared machine are noise; the ratio of the slow answers to the usual one, and
 * memory at the end to memory at half time, are what to compare.
 */
export type Load = {
  /** Folder of the workspace that is served. */
  folder: string;
  /** The nth request; paths as `/context/build`, `/v1/search`. */
  ask: (number: number) => { path: string; body: object };
  seconds?: number;
  connections?: number;
  key?: string;
};

export type LoadFigures = {
  requests: number;
  errors: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** p99 / p50. */
  spread: number;
  /** Resident memory in megabytes, of the server and its workers: when half of the time had passed, and at the end. */
  halfMegabytes: number;
  endMegabytes: number;
};

/** Flat is what grows less than a collection of garbage takes away. */
const targets = { spread: 10, growth: 1.1 };

export async function measureLoad({ folder, ask, key, seconds = 60, connections = 32 }: Load): Promise<LoadFigures> {
  const { child, url } = await serve(folder);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const failures = new Map<string, number>();
  let next = 0;
  const connection = async (until: number, note: (time: number, failure?: string) => void) => {
    while (performance.now() < until) {
      const { path, body } = ask(next++);
      const start = performance.now();
      const failure = await post(`${url}${path}`, body, agent, key);
      note(performance.now() - start, failure);
    }
  };
  const all = (until: number, note: (time: number, failure?: string) => void) =>
    Promise.all(Array.from({ length: connections }, () => connection(until, note)));
  const count = (failure: string | undefined) => {
    if (failure) failures.set(failure, (failures.get(failure) ?? 0) + 1);
  };
  try {
    // Programs are compiled, caches filled and the heap grown to its size in the first quarter.
    await all(performance.now() + seconds * 250, (_, failure) => count(failure));
    let halfMegabytes = 0;
    const half = setTimeout(() => {
      halfMegabytes = residentMegabytes(child);
    }, seconds * 250);
    const start = performance.now();
    await all(start + seconds * 750, (time, failure) => {
      times.push(time);
      count(failure);
    });
    clearTimeout(half);
    const elapsed = (performance.now() - start) / 1000;
    // Answers still on their way out hold memory that is not the server's to keep.
    await sleep(500);
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    const figures = {
      requests: next,
      errors: [...failures.values()].reduce((sum, each) => sum + each, 0),
      perSecond: times.length / elapsed,
      p50,
      p99,
      spread: p99 / p50,
      halfMegabytes,
      endMegabytes: residentMegabytes(child),
    };
    print(figures, failures, connections, seconds);
    return figures;
  } finally {
    agent.destroy();
    child.kill("SIGTERM");
    await once(child, "close");
  }
}

export async function serve(folder: string, ...more: string[]): Promise<{ child: ChildProcess; url: string }> {
  const args = [resolve("dist/cli.js"), "serve", "-C", folder, "--port", "0", "--rate", "0", "--log", "error"];
  const child = spawn(process.execPath, [...args, ...more], { stdio: ["ignore", "inherit", "pipe"] });
  let printed = "";
  const url = await new Promise<string>((found, fail) => {
    child.stderr.on("data", (chunk) => {
      printed += String(chunk);
      const address = / at (http:\S+);/.exec(printed)?.[1];
      if (address) found(address);
    });
    child.once("close", () => fail(new Error(`The server did not start: ${printed}`)));
  });
  return { child, url };
}

/** Returns what went wrong, or undefined. */
export function post(url: string, body: object, agent: Agent, key: string | undefined): Promise<string | undefined> {
  const text = JSON.stringify(body);
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
  };
  return new Promise((done) => {
    const sent = request(url, { method: "POST", headers, agent }, (response) => {
      response.resume();
      response.on("end", () => done(response.statusCode === 200 ? undefined : `status ${response.statusCode}`));
      response.on("error", (error) => done(error.message));
    });
    sent.on("error", (error) => done(error.message));
    sent.end(text);
  });
}

/** Of the server and its workers; zero where the kernel does not tell. */
function residentMegabytes({ pid }: ChildProcess): number {
  return Math.round([pid!, ...childrenOf(pid!)].reduce((sum, each) => sum + residentKilobytes(each), 0) / 1024);
}

function residentKilobytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readKernel(`/proc/${pid}/status`))?.[1] ?? 0);
}

function childrenOf(pid: number): number[] {
  return readKernel(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
}

function readKernel(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function print(figures: LoadFigures, failures: Map<string, number>, connections: number, seconds: number): void {
  const { requests, errors, perSecond, p50, p99, spread, halfMegabytes, endMegabytes } = figures;
  row(`load, ${connections} connections`, `${perSecond.toFixed(0)}/s`, `${requests} requests in ${seconds} s`);
  const what = [...failures].map(([failure, count]) => `${count} x ${failure}`).join(", ");
  row("  errors", String(errors), what || "target 0");
  row("  p50", `${p50.toFixed(1)} ms`, "");
  row("  p99", `${p99.toFixed(1)} ms`, `${spread.toFixed(1)} times p50, target ${targets.spread}`);
  row("  memory", `${endMegabytes} MB`, `${halfMegabytes} MB at half time, target at most ${targets.growth} times`);
}
