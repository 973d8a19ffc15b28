import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ErrorCode } from "../../errors.ts";

/** Metrics of the service, in the text format of Prometheus. No label names an owner, a key or a text. */
export type Metrics = {
  answered(request: { method: string; route: string; status: number; seconds: number }): void;
  failed(code: ErrorCode): void;
  /** Reads the figures in an operation's output. `milliseconds`: the whole time, including the wait for the index. */
  assembled(operation: string, output: unknown, milliseconds: number): void;
  running(change: 1 | -1): void;
  connected(change: 1 | -1): void;
  /** Requests answered so far. */
  requests(): number;
  text(): Promise<string>;
  contentType: string;
};

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const tokens = [100, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 100_000];
const items = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500];

/** Stages of the pipeline with a histogram of their own, and its name. */
const stages = {
  resolve: ["search", "Finding candidates in all sources"],
  score: ["scoring", "Scoring candidates"],
  budget: ["optimising", "Choosing what fits the budget"],
} as const;

export function createMetrics(options: { process?: boolean } = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.process) collectDefaultMetrics({ register: registry });
  const duration = (name: string, help: string, labelNames: string[]) =>
    new Histogram({ name: `dossier_${name}_seconds`, help, labelNames, buckets: seconds, registers });
  const count = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `dossier_${name}_total`, help, labelNames, registers });

  const requests = count("http_requests", "Requests by route and status", ["method", "route", "status"]);
  const latency = duration("http_request_duration", "From the request's head to the answer's", [
    "method",
    "route",
    "status",
  ]);
  const errors = count("errors", "Failures by code", ["code"]);
  const running = new Gauge({ name: "dossier_operations_running", help: "Operations under way", registers });
  const connections = new Gauge({ name: "dossier_http_connections", help: "Connections that are open", registers });
  const assembly = duration("assembly", "Assembling a context, all stages and the wait for the index", ["operation"]);
  // Names of metrics that applications of the first design read.
  const assemblyTime = new Histogram({
    name: "context_assembly_time",
    help: "Assembling a context, all stages and the wait for the index, in milliseconds",
    buckets: seconds.map((each) => each * 1000),
    registers,
  });
  const tokenUsage = new Gauge({ name: "context_token_usage", help: "Tokens of the last context", registers });
  const byStage = Object.fromEntries(
    Object.entries(stages).map(([stage, [name, help]]) => [stage, duration(name, help, ["operation"])]),
  );
  const sizes = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `dossier_context_${name}`, help, labelNames: ["operation"], buckets, registers });
  const tokensUsed = sizes("tokens", "Tokens of a context", tokens);
  const itemsPrinted = sizes("items", "Items of a context", items);
  const cache = count("cache_requests", "Contexts answered from the cache, and not", ["result"]);
  let total = 0;

  return {
    answered({ method, route, status, seconds }) {
      total++;
      const labels = { method, route, status: String(status) };
      requests.inc(labels);
      latency.observe(labels, seconds);
    },
    failed: (code) => errors.inc({ code }),
    assembled(operation, output, milliseconds) {
      const figures = readContext(output);
      if (figures.tokens !== undefined) {
        tokensUsed.observe({ operation }, figures.tokens);
        tokenUsage.set(figures.tokens);
      }
      if (figures.items !== undefined) itemsPrinted.observe({ operation }, figures.items);
      if (figures.cached !== undefined) cache.inc({ result: figures.cached ? "hit" : "miss" });
      // The time of a cached answer was counted when it was made.
      if (figures.cached === true || figures.milliseconds === undefined) return;
      for (const [stage, histogram] of Object.entries(byStage)) {
        const time = figures.milliseconds[stage];
        if (time !== undefined) histogram.observe({ operation }, time / 1000);
      }
      assembly.observe({ operation }, milliseconds / 1000);
      assemblyTime.observe(milliseconds);
    },
    running: (change) => running.inc(change),
    connected: (change) => connections.inc(change),
    requests: () => total,
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

type ContextFigures = { tokens?: number; items?: number; cached?: boolean; milliseconds?: Record<string, number> };

/** The figures that all shapes of contexts share, wherever an output has them; nothing for other outputs. */
function readContext(output: unknown): ContextFigures {
  const { tokens, totalTokens, items, stats, cached, milliseconds } = objectOf(output);
  const used = typeof totalTokens === "number" ? totalTokens : objectOf(tokens).used;
  if (typeof used !== "number") return {};
  const stages = Object.entries(objectOf(milliseconds ?? objectOf(stats).milliseconds));
  const times = stages.filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return {
    tokens: used,
    items: Array.isArray(items) ? items.length : undefined,
    cached: typeof cached === "boolean" ? cached : undefined,
    milliseconds: times.length > 0 ? Object.fromEntries(times) : undefined,
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
