import type {
  CallToolResult,
  GetPromptResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  ReadResourceResult,
} from "@modelcontextprotocol/server";
import type { ToolSet } from "../../operations/core/serving.ts";
import type { AgentRequest, CallTarget } from "./call-target.ts";
import type { Cursors } from "./tools/cursors.ts";
import { listing } from "./tools/load-listing.ts";

/** What a server offers over any transport: the answers to the protocol's requests. */
export type ServerOffer = {
  tools(): Promise<ListToolsResult>;
  call(name: string, args: Record<string, unknown>, request: ClientRequest): Promise<CallToolResult>;
  resources(): Promise<ListResourcesResult>;
  templates(): Promise<ListResourceTemplatesResult>;
  read(uri: string, request: ClientRequest): Promise<ReadResourceResult>;
  prompts(): Promise<ListPromptsResult>;
  prompt(name: string, args: Record<string, string>, request: ClientRequest): Promise<GetPromptResult>;
};

export type ClientRequest = Omit<AgentRequest, "project">;

type OfferParts = {
  target: CallTarget;
  tools: ToolSet;
  cursors: Cursors;
  /** Names of the workspace's lenses; without it tools list only the built-in ones. */
  lenses?: () => Promise<string[]>;
};

/** Dossier's own offer. The first call loads the modules that listing does not need. */
export function ownOffer({ target, tools, cursors, lenses }: OfferParts): ServerOffer {
  async function offered() {
    const { access, ...sets } = await listing();
    const { offeredTo } = await import("./tools/allowed-tools.ts");
    return offeredTo(target, sets[tools], access);
  }
  return {
    async tools() {
      const [listed, names, { withLenses }] = await Promise.all([
        offered(),
        lenses?.(),
        import("./tools/allowed-tools.ts"),
      ]);
      return { tools: names ? withLenses(listed, names) : listed };
    },
    async call(name, args, request) {
      const [{ callTool }, allowed] = await Promise.all([import("./tools/call-tool.ts"), offered()]);
      return callTool(name, args, request, { target, cursors, tools: allowed.map((tool) => tool.name) });
    },
    resources: async () => (await import("./resources.ts")).resources,
    templates: async () => (await import("./resources.ts")).templates,
    read: async (uri, request) => (await import("./resources.ts")).readResource(uri, request, target),
    prompts: async () => (await import("./prompts.ts")).prompts,
    prompt: async (name, args, request) => (await import("./prompts.ts")).getPrompt(name, args, request, target),
  };
}
