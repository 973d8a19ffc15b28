import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { sharing } from "../src/stores/postgres/engine/open.ts";
import type { PostgresSession } from "../src/stores/postgres/engine/session.ts";
import { postgresKeys } from "../src/stores/postgres/records/keys.ts";
import { percentile, ratio, row } from "./figures.ts";
import { post, serve } from "./load.ts";

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
    const one = await measure(services, secrets, 1);
    const two = await measure(services, secrets, 2);
    row("one service process", `${one.perSecond.toFixed(1)}/s`, `p50 ${one.p50.toFixed(0)} ms, ${one.errors} errors`);
    row(
      "two service processes",
      `${two.perSecond.toFixed(1)}/s`,
      `${ratio(two.perSecond, one.perSecond)} of one, target ${target} where the cores allow it; p50 ${two.p50.toFixed(0)} ms, ${two.errors} errors`,
    );
    return { oneService: one.perSecond, twoServices: two.perSecond, serviceErrors: one.errors + two.errors };
  } finally {
    if (before === undefined) delete process.env.DATABASE_URL;
    else process.env.DATABASE_URL = before;
  }
}

async function measure({ root, seconds, question }: Services, secrets: string[], processes: number) {
  const running: { child: ChildProcess; url: string }[] = [];
  for (let i = 0; i < processes; i++) running.push(await serve(root, "--workers", "0"));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let [next, errors] = [0, 0];
  const from = performance.now() + seconds * 500;
  const until = from + seconds * 1000;
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
    return { perSecond: times.length / seconds, p50: percentile(times, 0.5), errors };
  } finally {
    agent.destroy();
    for (const { child } of running) {
      child.kill("SIGTERM");
      await once(child, "close");
    }
  }
}
