import { random } from "../shared/random.ts";

/** A line to send, and the ids of the requests in it that must be answered. */
export type HostileFrame = { line: string; ids: number[] };

/**
 * None of them writes, or begins long work: whatever a server does with them, the next question has the same answer.
 */
const tools = [
  "context_query",
  "context",
  "search",
  "why",
  "assemble_context",
  "get_premortem_context",
  "tana_context",
];
const others = [
  "item",
  "feedback",
  "experience",
  "memories",
  "threads",
  "history",
  "nothing",
  "",
  "__proto__",
  "constructor",
];
const methods = [
  "tools/call",
  "tools/list",
  "resources/read",
  "prompts/get",
  "ping",
  "no/such",
  "initialize",
  "",
  "toString",
];
const inputs = [
  "query",
  "max_tokens",
  "maxTokens",
  "limit",
  "format",
  "project",
  "cursor",
  "item",
  "domain",
  "__proto__",
  "path",
];

/** Frames that no honest client sends, the same for the same seed. */
export function hostileFrames(seed: number, count: number): HostileFrame[] {
  const { next: draw, pick } = random(seed);
  const value = (depth = 0): unknown => {
    const kinds = [
      () => null,
      () => draw() < 0.5,
      () => Math.floor((draw() - 0.5) * 1e6),
      () => (draw() - 0.5) * 1e300,
      () =>
        pick([
          "",
          "amount",
          "../../etc/passwd",
          "\u0000",
          "\ud800",
          "x".repeat(5000),
          "'; DROP TABLE items; --",
          "𝕌".repeat(50),
        ]),
      () => Array.from({ length: Math.floor(draw() * 4) }, () => (depth < 3 ? value(depth + 1) : 0)),
      () =>
        Object.fromEntries(
          Array.from({ length: Math.floor(draw() * 4) }, () => [pick(inputs), depth < 3 ? value(depth + 1) : 0]),
        ),
    ];
    return pick(kinds)();
  };
  let next = 1000;
  const request = (): { message: Record<string, unknown>; id: number } => {
    const id = next++;
    const name = draw() < 0.6 ? pick(tools) : pick(others);
    const toolArguments = Object.fromEntries(
      Array.from({ length: Math.floor(draw() * 4) }, () => [pick(inputs), value()]),
    );
    const method = draw() < 0.7 ? "tools/call" : pick(methods);
    const params = draw() < 0.8 ? { name, arguments: draw() < 0.85 ? toolArguments : value(), uri: value() } : value();
    return { message: { jsonrpc: "2.0", id, method, ...(draw() < 0.9 && { params }) }, id };
  };
  const kinds: (() => HostileFrame)[] = [
    () => {
      const { message, id } = request();
      return { line: JSON.stringify(message), ids: [id] };
    },
    () => {
      // Cut off, or with a letter changed: whether it can still be read is anyone's guess.
      const text = JSON.stringify(request().message);
      const at = Math.floor(draw() * text.length);
      const changed =
        draw() < 0.5
          ? text.slice(0, at)
          : `${text.slice(0, at)}${pick(["}", '"', "\\", "9", "\t"])}${text.slice(at + 1)}`;
      return { line: changed.replaceAll("tools/call", "tools/none"), ids: [] };
    },
    () => ({
      line: JSON.stringify({ ...request().message, [pick(["jsonrpc", "id", "method", "params"])]: value(), more: 1 }),
      ids: [],
    }),
    () => {
      const list = Array.from({ length: Math.floor(draw() * 4) }, request);
      return { line: JSON.stringify(list.map(({ message }) => message)), ids: list.map(({ id }) => id) };
    },
    () => ({ line: JSON.stringify({ jsonrpc: "2.0", id: value(), result: value() }), ids: [] }),
    () => ({
      line: JSON.stringify({
        jsonrpc: "2.0",
        method: pick(["notifications/cancelled", "notifications/initialized", "x"]),
        params: value(),
      }),
      ids: [],
    }),
    () => ({ line: "[".repeat(Math.floor(draw() * 5000)), ids: [] }),
    () => ({ line: pick(["", "null", "0", '""', "\u0000\u0001", "�", "<xml/>", "GET / HTTP/1.1", "true"]), ids: [] }),
  ];
  return Array.from({ length: count }, () => {
    const { line, ids } = draw() < 0.5 ? kinds[0]!() : pick(kinds)();
    return { line: `${line}\n`, ids };
  });
}
