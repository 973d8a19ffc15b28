import type { GetPromptResult, ListPromptsResult } from "@modelcontextprotocol/server";
import { nextPage } from "../../operations/core/paged-answer.ts";
import { loadOperation, type OperationName } from "../../operations/core/registry.ts";
import type { AgentRequest, CallTarget } from "./call-target.ts";
import { failureOf } from "./tools/failure.ts";
import { mostTokens } from "./transport/limits.ts";
import { invalid } from "./transport/protocol-errors.ts";

type Ask = (name: OperationName, input: Record<string, unknown>) => Promise<{ text: string; output: unknown }>;

type Prompt = {
  name: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  /** The contexts in the prompt, in order. */
  asks: (args: Record<string, string>, ask: Ask) => Promise<string[]>;
  /** The task for the model. */
  task: (args: Record<string, string>) => string;
};

/**
 * Number of a conversation's last messages that are quoted; earlier ones are quoted only if they concern its outcome.
 */
const lastMessages = 10;

/** Files in which a repository describes itself. They are found by name, since their words are not known. */
const overviews = [
  ...["README.md", "README.rst", "README", "ARCHITECTURE.md", "CONTRIBUTING.md", "AGENTS.md", "docs/index.md"],
  ...["package.json", "pyproject.toml", "Cargo.toml", "go.mod", "pom.xml", "build.gradle", "Gemfile", "Makefile"],
];

const table: Prompt[] = [
  {
    name: "premortem",
    description: "What went wrong before in a domain, before you begin",
    arguments: [
      { name: "domain", description: "debugging, refactoring, feature, testing, ...", required: true },
      { name: "strategy", description: "How you mean to go about it", required: false },
    ],
    asks: async (args, ask) => [(await ask("get_premortem_context", args)).text],
    task: ({ domain }) =>
      `Above is what went wrong in earlier ${domain} work here. Before we begin, name the three failures most likely to come again in the task at hand, what would show each of them first, and what you will do differently. Cite the ids.`,
  },
  {
    name: "onboard",
    description: "What this repository is, how it is organised, built and tested",
    arguments: [{ name: "focus", description: "A part of it to look at", required: false }],
    async asks({ focus }, ask) {
      const about = focus === undefined ? "" : `; above all ${focus}`;
      const query = `${overviews.join(" ")}: overview, install, usage, build, test${about}`;
      const paths = overviews.map((path) => `/${path}`);
      const overview = await ask("context", { query, paths, minScore: 0, maxTokens: 3000, includeSources: false });
      const entry = `Main entry point, command line, configuration, core modules${about}`;
      const code = await ask("context", { query: entry, tests: "exclude", minScore: 0, maxTokens: 2000 });
      return [overview.text, code.text, (await ask("status", {})).text];
    },
    task: ({ focus }) =>
      `Above is evidence about this repository. Explain to someone who sees it for the first time${focus ? ` and will work on ${focus}` : ""}: what it is for, how it is organised, where a request or a run begins, how it is built and tested, and what to read first. Cite the ids, and say what the evidence does not show.`,
  },
  {
    name: "handover",
    description: "What a conversation decided, for whoever goes on with it",
    arguments: [{ name: "thread", description: "Its id, the beginning of it, or its title", required: true }],
    async asks({ thread }, ask) {
      const lastTurns = await ask("thread", { step: "show", thread, limit: lastMessages });
      const { id } = (lastTurns.output as { thread: { id: string } }).thread;
      const message = "What was decided and why, what was done, what is open, and what comes next?";
      const earlier = await ask("prime_context", { message, thread: id, maxTokens: 4000 });
      return [earlier.text, `The last messages:\n\n${lastTurns.text}`];
    },
    task: () =>
      "Above is a conversation and what it refers to. Write a handover: what was decided and why, what was done, what is still open, and the next step. Cite the ids, and mark what was said but never decided.",
  },
];

export const prompts: ListPromptsResult = {
  prompts: table.map(({ name, description, arguments: parameters }) => ({ name, description, arguments: parameters })),
};

export async function getPrompt(
  name: string,
  args: Record<string, string>,
  request: Omit<AgentRequest, "project">,
  target: CallTarget,
): Promise<GetPromptResult> {
  const prompt = table.find((each) => each.name === name);
  if (!prompt) throw invalid(`There is no prompt ${JSON.stringify(name.slice(0, 100))}.`);
  const stated = checked(prompt, args);
  try {
    const texts = await prompt.asks(stated, (operation, input) => answerOf(operation, input, request, target));
    const evidence = nextPage({ text: texts.join("\n"), data: {} }, mostTokens - 500).text;
    const text = `${evidence}\n\n${prompt.task(stated)}`;
    return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
  } catch (thrown) {
    const { code, message, fix } = failureOf(thrown, target.from);
    throw invalid(`${message} ${fix}`, { code, fix });
  }
}

function checked({ name, arguments: parameters }: Prompt, args: Record<string, string>): Record<string, string> {
  const unknown = Object.keys(args).find((key) => !parameters.some((each) => each.name === key));
  if (unknown !== undefined) throw invalid(`${name} takes no ${JSON.stringify(unknown.slice(0, 100))}.`);
  const missing = parameters.find((each) => each.required && !args[each.name]?.trim());
  if (missing) throw invalid(`${name} needs ${missing.name}: ${missing.description}.`);
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value.trim() !== ""));
}

async function answerOf(
  name: OperationName,
  args: Record<string, unknown>,
  request: Omit<AgentRequest, "project">,
  target: CallTarget,
): Promise<{ text: string; output: unknown }> {
  const operation = await loadOperation(name);
  const { input, output } = await target.run(operation, args, request);
  return { text: operation.text?.(output, input, false) ?? JSON.stringify(output), output };
}
