import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { Agent } from "node:http";
import { cpus } from "node:os";
import { sharing } from "../../src/stores/postgres/engine/open.ts";
import type { PostgresSession } from "../../src/stores/postgres/engine/session/session.ts";
import { postgresKeys } from "../../src/stores/postgres/records/keys.ts";
import { post, serve } from "../service/load.ts";
import { percentile, ratio, row } from "../shared/figures.ts";

export type Services = {
  root: string;
  url: string;
  session: PostgresSession;
  seconds: number;
  owners: number;
  /** The nth question, of the owner n % owners. */
  question: (number: number) => string;
};

const connections = 16;
const target = 1.6;

/** Questions over HTTP that one process answers in a second, and two, over the same database on the same machine. */
export async function measureServices(services: Services): Promise<Record<string, number>> {
  const keys = postgresKeys(sharing(services.session, services.root));
  const secrets: string[] = [];
  for (let number = 0; number < services.owners; number++) {
    const name = `owner-${number}`;
    secrets.push((await keys.create({ name, owner: name, scope: "read", at: Date.now() })).secret);
  }
  const before = process.env.DATABASE_URL;
  process.env.DATABASE_URL = services.url;
  try {
    const server = await serverProcess(services.session);
    const one = await measure(services, secrets, 1, server);
    const two = await measure(services, secrets, 2, server);
    row("one service process", `${one.perSecond.toFixed(1)}/s`, `p50 ${one.p50.toFixed(0)} ms, ${one.errors} errors`);
    row(
      "two service processes",
      `${two.perSecond.toFixed(1)}/s`,
      `${ratio(two.perSecond, one.perSecond)} of one, target ${target} where the cores allow it; p50 ${two.p50.toFixed(0)} ms, ${two.errors} errors`,
    );
    const { service, database, client } = one.cpu;
    // One process has one thread that answers: it takes a core. Two can take as many cores as the database and the
    // client leave them.
    const ceiling = Math.min(2, (cpus().length * service) / (service + database + client));
    row(
      "CPU of a request",
      `${(service + database + client).toFixed(0)} ms`,
      `service ${service.toFixed(0)}, database ${database.toFixed(0)}, client ${client.toFixed(0)}; on ${cpus().length} cores two processes are at most ${ceiling.toFixed(2)}x of one`,
    );
    const figures = { serviceCpu: service, databaseCpu: database, clientCpu: client, servicesCeiling: ceiling };
    return {
      ...figures,
      oneService: one.perSecond,
      twoServices: two.perSecond,
      serviceErrors: one.errors + two.errors,
    };
  } finally {
    if (before === undefined) delete process.env.DATABASE_URL;
    else process.env.DATABASE_URL = before;
  }
}

async function measure(
  { root, seconds, question }: Services,
  secrets: string[],
  processes: number,
  server: number | undefined,
) {
  const running: { child: ChildProcess; url: string }[] = [];
  for (let i = 0; i < processes; i++) running.push(await serve(root, "--workers", "0"));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let [next, errors] = [0, 0];
  const from = performance.now() + seconds * 500;
  const until = from + seconds * 1000;
  const cpu = () => ({
    service: running.reduce((sum, { child }) => sum + cpuOf(child.pid), 0),
    database: cpuWithChildren(server),
    client: cpuOf(process.pid),
  });
  let before = cpu();
  setTimeout(() => {
    before = cpu();
  }, seconds * 500);
  const connection = async (place: number) => {
    while (performance.now() < until) {
      const number = next++;
      const body = { query: question(number), refresh: false };
      const began = performance.now();
      const failure = await post(
        `${running[place % processes]!.url}/v1/context`,
        body,
        agent,
        secrets[number % secrets.length],
      );
      if (failure) errors++;
      else if (began >= from) times.push(performance.now() - began);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, (_, place) => connection(place)));
    const after = cpu();
    const each = (name: keyof typeof after) => (after[name] - before[name]) / Math.max(1, times.length);
    return {
      ...{ perSecond: times.length / seconds, p50: percentile(times, 0.5), errors },
      cpu: { service: each("service"), database: each("database"), client: each("client") },
    };
  } finally {
    agent.destroy();
    for (const { child } of running) {
      child.kill("SIGTERM");
      await once(child, "close");
    }
  }
}

/** The server's first process, where it is one of this machine: the parent of those that answer. */
async function serverProcess(session: PostgresSession): Promise<number | undefined> {
  const row = await session.shared.get<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return row && statOf(row.pid)?.parent;
}

/** Milliseconds of CPU that a process has used, and those of its children that have ended; where Linux tells. */
function statOf(pid: number | undefined): { parent: number; own: number; ended: number } | undefined {
  const path = `/proc/${pid}/stat`;
  if (pid === undefined || !existsSync(path)) return undefined;
  // Behind the name, which may contain anything: state, parent and so on; a tick is 10 ms.
  const fields = readFileSync(path, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .map(Number);
  return { parent: fields[1]!, own: (fields[11]! + fields[12]!) * 10, ended: (fields[13]! + fields[14]!) * 10 };
}

const cpuOf = (pid: number | undefined): number => statOf(pid)?.own ?? 0;

function cpuWithChildren(pid: number | undefined): number {
  const first = statOf(pid);
  if (!first) return 0;
  const others = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)));
  return others.reduce((sum, stat) => sum + (stat?.parent === pid ? stat!.own : 0), first.own + first.ended);
}
