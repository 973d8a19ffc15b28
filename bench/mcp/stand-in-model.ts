import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A model on loopback that speaks the interfaces of three vendors just enough to drive their clients: asked anything,
 * it calls the tool it was told to call, and ends when it has been given the answer. It keeps what a real model would
 * have received.
 */
export type StandInModel = {
  url: string;
  /** What the client sent back for the call, as the model reads it. */
  received: string[];
  /** Requests that were made, as they came. */
  requests: string[];
  close(): Promise<void>;
};

type Call = { tool: string; given: Record<string, unknown> };
/** Where a client puts its tools and the results of them, and how it is told to call one. */
type Dialect = {
  matches(path: string): boolean;
  tools(body: Json): string[];
  results(body: Json): string[];
  reply(response: ServerResponse, tool: string | undefined, given: object, path: string): void;
};
// biome-ignore lint/suspicious/noExplicitAny: three vendors' bodies, of which a few places are read
type Json = Record<string, any>;

export async function startModel({ tool, given }: Call): Promise<StandInModel> {
  const received: string[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void read(request).then((text) => {
      const path = request.url ?? "";
      requests.push(`${request.method} ${path}`);
      const dialect = dialects.find(({ matches }) => matches(path));
      if (!dialect || request.method !== "POST" || /count_?tokens/i.test(path)) {
        response.writeHead(dialect ? 200 : 404, { "content-type": "application/json" });
        response.end('{"input_tokens":1,"totalTokens":1}');
        return;
      }
      const body = JSON.parse(text) as Json;
      const results = dialect.results(body);
      for (const result of results) if (!received.includes(result)) received.push(result);
      const offered = dialect.tools(body);
      const wanted = offered.find((name) => name.endsWith(tool));
      // Claude Code may ask before its servers are there, and has a tool for that.
      const waiting = offered.find((name) => name === "WaitForMcpServers");
      const done = results.some((result) => result.includes("bundle: bun-"));
      if (done || (wanted === undefined && waiting === undefined)) dialect.reply(response, undefined, {}, path);
      else dialect.reply(response, wanted ?? waiting, wanted === undefined ? {} : given, path);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    requests,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function events(response: ServerResponse, list: Json[], named: boolean): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of list) {
    response.write(`${named ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  const part = (value ?? {}) as Json;
  return textOf(part.text ?? part.content ?? part.output ?? JSON.stringify(part));
}

let calls = 0;

const anthropic: Dialect = {
  matches: (path) => path.startsWith("/v1/messages"),
  tools: ({ tools = [] }) => (tools as Json[]).map(({ name }) => String(name)),
  results: ({ messages = [] }) =>
    (messages as Json[])
      .flatMap(({ content }) => (Array.isArray(content) ? (content as Json[]) : []))
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => textOf(content)),
  reply(response, tool, given) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `msg_${++calls}`, type: "message", role: "assistant", model: "stand-in", content: [], usage };
    const block = tool ? { type: "tool_use", id: `toolu_${calls}`, name: tool, input: {} } : { type: "text", text: "" };
    const delta = tool
      ? { type: "input_json_delta", partial_json: JSON.stringify(given) }
      : { type: "text_delta", text: "done" };
    const reason = { stop_reason: tool ? "tool_use" : "end_turn", stop_sequence: null };
    const list = [
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: reason, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ];
    events(response, list, true);
  },
};

const openai: Dialect = {
  matches: (path) => path.includes("/responses"),
  // Servers may be groups of functions.
  tools: ({ tools = [] }) =>
    (tools as Json[]).flatMap(({ name, type, tools: inner = [] }) =>
      type === "namespace" ? (inner as Json[]).map((each) => `${name}|${each.name}`) : [String(name)],
    ),
  results: ({ input = [] }) =>
    (Array.isArray(input) ? (input as Json[]) : [])
      .filter(({ type }) => type === "function_call_output")
      .map(({ output }) => textOf(output)),
  reply(response, tool, given) {
    const id = `resp_${++calls}`;
    const [namespace, name] = tool?.includes("|") ? tool.split("|") : [undefined, tool];
    const call = {
      type: "function_call",
      id: `fc_${calls}`,
      call_id: `call_${calls}`,
      name,
      arguments: JSON.stringify(given),
    };
    const reply = {
      type: "message",
      id: `m_${calls}`,
      role: "assistant",
      content: [{ type: "output_text", text: "done" }],
    };
    const item = tool ? { ...call, ...(namespace && { namespace }) } : reply;
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const list = [
      { type: "response.created", response: { id } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id, usage, output: [item] } },
    ];
    events(response, list, true);
  },
};

const google: Dialect = {
  matches: (path) => /:(?:streamG|g)enerateContent|countTokens/.test(path),
  tools: ({ tools = [] }) =>
    (tools as Json[]).flatMap(({ functionDeclarations = [] }) =>
      (functionDeclarations as Json[]).map(({ name }) => String(name)),
    ),
  results: ({ contents = [] }) =>
    (contents as Json[])
      .flatMap(({ parts = [] }) => parts as Json[])
      .flatMap(({ functionResponse }) => (functionResponse ? [textOf(functionResponse.response)] : [])),
  reply(response, tool, given, path) {
    const part = tool ? { functionCall: { name: tool, args: given } } : { text: "done" };
    const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const answer = { candidates: [candidate], usageMetadata, modelVersion: "stand-in" };
    if (path.includes("streamGenerateContent")) return events(response, [answer], false);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  },
};

const dialects = [anthropic, openai, google];
