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
import type { AgentGround, Asked } from "./ground.ts";
import type { Cursors } from "./tools/cursors.ts";
import { listing } from "./tools/tools.ts";

/** All that a server has to offer, whoever asks and however: what the protocol's messages are answered with. */
export type ServerOffer = {
  tools(): Promise<ListToolsResult>;
  call(name: string, given: Record<string, unknown>, asked: Asking): Promise<CallToolResult>;
  resources(): Promise<ListResourcesResult>;
  templates(): Promise<ListResourceTemplatesResult>;
  read(uri: string, asked: Asking): Promise<ReadResourceResult>;
  prompts(): Promise<ListPromptsResult>;
  prompt(name: string, given: Record<string, string>, asked: Asking): Promise<GetPromptResult>;
};

export type Asking = Omit<Asked, "project">;

type Own = {
  ground: AgentGround;
  tools: ToolSet;
  cursors: Cursors;
  /** Names of the lenses of the workspace at hand; without it tools list those that are always there. */
  lenses?: () => Promise<string[]>;
};

/** Dossier's own. What listing does not need is loaded by the first call. */
export function ownOffer({ ground, tools, cursors, lenses }: Own): ServerOffer {
  async function offered() {
    const { access, ...sets } = await listing();
    const { offeredTo } = await import("./tools/offered.ts");
    return offeredTo(ground, sets[tools], access);
  }
  return {
    async tools() {
      const [listed, names, { withLenses }] = await Promise.all([offered(), lenses?.(), import("./tools/offered.ts")]);
      return { tools: names ? withLenses(listed, names) : listed };
    },
    async call(name, given, asked) {
      const [{ callTool }, known] = await Promise.all([import("./tools/call-tool.ts"), offered()]);
      return callTool(name, given, asked, { ground, cursors, tools: known.map((tool) => tool.name) });
    },
    resources: async () => (await import("./resources.ts")).resources,
    templates: async () => (await import("./resources.ts")).templates,
    read: async (uri, asked) => (await import("./resources.ts")).readResource(uri, asked, ground),
    prompts: async () => (await import("./prompts.ts")).prompts,
    prompt: async (name, given, asked) => (await import("./prompts.ts")).getPrompt(name, given, asked, ground),
  };
}
