import { setTimeout as sleep } from "node:timers/promises";
import type { CallToolResult, GetPromptResult } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { ClientRequest, ServerOffer } from "../../src/surfaces/mcp/offer.ts";

/** The tools, resources and prompts that the official conformance suite asks for, in place of Dossier's own. */

/** One red pixel. */
const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A header without sound. */
const audio = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA=";

const text = (words: string): CallToolResult => ({ content: [{ type: "text", text: words }] });
const picture = { type: "image" as const, data: image, mimeType: "image/png" };
const resource = (uri: string, mimeType: string, words: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: words },
});

type Tool = {
  description: string;
  schema?: Record<string, unknown>;
  call(asked: ClientRequest): Promise<CallToolResult>;
};

const tools: Record<string, Tool> = {
  test_simple_text: {
    description: "A text",
    call: async () => text("This is a simple text response for testing."),
  },
  test_image_content: { description: "An image", call: async () => ({ content: [picture] }) },
  test_audio_content: {
    description: "A sound",
    call: async () => ({ content: [{ type: "audio", data: audio, mimeType: "audio/wav" }] }),
  },
  test_embedded_resource: {
    description: "A resource",
    call: async () => ({
      content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    }),
  },
  test_multiple_content_types: {
    description: "Several kinds of content",
    call: async () => ({
      content: [
        { type: "text", text: "Multiple content types test:" },
        picture,
        resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ],
    }),
  },
  test_error_handling: {
    description: "Fails",
    call: async () => ({ isError: true, ...text("This tool intentionally returns an error for testing") }),
  },
  test_tool_with_progress: {
    description: "Reports how far it is",
    async call({ progress }) {
      for (const done of [0, 50, 100]) {
        progress?.({ stage: `stage ${done}`, done, total: 100 });
        await sleep(50);
      }
      return text("Done.");
    },
  },
  json_schema_2020_12_tool: {
    description: "Tool with JSON Schema 2020-12 features",
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $defs: {
        address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
      },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    },
    call: async () => text("Taken."),
  },
};

const promptOf = (...content: GetPromptResult["messages"][number]["content"][]): GetPromptResult => ({
  messages: content.map((each) => ({ role: "user", content: each })),
});

type Prompt = { description: string; takes: string[]; get(given: Record<string, string>): GetPromptResult };

const prompts: Record<string, Prompt> = {
  test_simple_prompt: {
    description: "A prompt without arguments",
    takes: [],
    get: () => promptOf({ type: "text", text: "This is a simple prompt for testing." }),
  },
  test_prompt_with_arguments: {
    description: "A prompt with arguments",
    takes: ["arg1", "arg2"],
    get: ({ arg1, arg2 }) => promptOf({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  },
  test_prompt_with_embedded_resource: {
    description: "A prompt with a resource",
    takes: ["resourceUri"],
    get: ({ resourceUri = "" }) =>
      promptOf(resource(resourceUri, "text/plain", "Embedded resource content for testing."), {
        type: "text",
        text: "Please process the embedded resource above.",
      }),
  },
  test_prompt_with_image: {
    description: "A prompt with an image",
    takes: [],
    get: () => promptOf(picture, { type: "text", text: "Please analyze the image above." }),
  },
};

const wrong = (words: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, words);

export const fixtureOffer: ServerOffer = {
  tools: async () => ({
    tools: Object.entries(tools).map(([name, { description, schema = { properties: {} } }]) => ({
      name,
      description,
      inputSchema: { type: "object" as const, ...schema },
    })),
  }),
  async call(name, _given, asked) {
    const tool = Object.hasOwn(tools, name) ? tools[name]! : undefined;
    if (!tool) throw wrong(`There is no tool ${name}.`);
    return tool.call(asked);
  },
  resources: async () => ({
    resources: [
      { uri: "test://static-text", name: "static text", description: "A text", mimeType: "text/plain" },
      { uri: "test://static-binary", name: "static binary", description: "Bytes", mimeType: "image/png" },
    ],
  }),
  templates: async () => ({
    resourceTemplates: [
      {
        uriTemplate: "test://template/{id}/data",
        name: "template",
        description: "By id",
        mimeType: "application/json",
      },
    ],
  }),
  async read(uri) {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (uri === "test://static-text") {
      return { contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }] };
    }
    if (uri === "test://static-binary") return { contents: [{ uri, mimeType: "image/png", blob: image }] };
    if (id === undefined) throw wrong(`There is no resource ${uri}.`);
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: "application/json", text: data }] };
  },
  prompts: async () => ({
    prompts: Object.entries(prompts).map(([name, { description, takes }]) => ({
      name,
      description,
      arguments: takes.map((each) => ({ name: each, description: each, required: true })),
    })),
  }),
  async prompt(name, given) {
    const prompt = Object.hasOwn(prompts, name) ? prompts[name]! : undefined;
    if (!prompt) throw wrong(`There is no prompt ${name}.`);
    return prompt.get(given);
  },
};
