import * as z from "zod";
import { path, workspace } from "../../options.ts";
import { type Environment, operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { bytes, grouped, plain } from "../terminal/phrases.ts";
import { type ModelOutput, modelOutput } from "./shape.ts";

const steps = ["status", "add", "use", "remove"] as const;
/** Settings of a model that is not in the table of known ones. */
const settings = ["model", "keyVariable", "download", "hub", "queryPrefix", "passagePrefix", "pooling", "dimensions"];
const prefix = z.string().max(1000).optional();

const input = z.object({
  step: z.enum(steps).default("status").describe("What to do: status, add, use, remove"),
  name: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      "To add: a folder with a model, an id on a hub (with download), or the address of a server; else a model's name, or builtin",
    ),
  path,
  workspace,
  model: z.string().min(1).max(200).optional().describe("What a server calls the model; of a folder: another name"),
  keyVariable: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Name of the environment variable that holds a server's key; the key itself is never kept"),
  download: z.boolean().default(false).describe("Fetch a model of the hub by its id; nothing is fetched without it"),
  hub: z.string().min(1).max(2000).optional().describe("Address of the hub; https://huggingface.co by default"),
  queryPrefix: prefix.describe("Set before questions, where the table of known models does not say it"),
  passagePrefix: prefix.describe("Set before what is searched"),
  pooling: z.enum(["mean", "cls"]).optional().describe("How a folder's model makes one vector of many"),
  dimensions: z.number().int().min(1).max(65_536).optional().describe("Cut vectors to so many components"),
  yes: z
    .boolean()
    .default(false)
    .describe("Agree to make all vectors anew, or to send texts to a server on another machine"),
});

export type ModelInput = z.output<typeof input>;

export const model = operation({
  name: "model",
  command: {
    status: { words: "model status", summary: "Show which model makes vectors, and how far it is" },
    add: { words: "model add", summary: "Add a model: a folder, the address of a server, or an id on a hub" },
    use: { words: "model use", summary: "Choose among the models, or only the built-in vectors" },
    remove: { words: "model rm", summary: "Remove a model and its vectors; its files stay where they are" },
  },
  group: "Index",
  summary:
    "Choose the language model that makes vectors of the workspace, beside the built-in ones, and see how far it is",
  // The configured model decides what every owner gets, and where texts are sent.
  access: { status: "read", add: "admin", use: "admin", remove: "admin" },
  input,
  output: modelOutput,
  positional: ["step", "name"],
  takes: {
    status: { needs: [], may: [] },
    add: { needs: ["name"], may: [...settings, "yes"] },
    use: { needs: ["name"], may: ["yes"] },
    remove: { needs: [], may: ["name"] },
  },
  examples: [
    { command: "dossier model status", what: "which model, how far, how long" },
    { command: "dossier model add ~/models/bge-small-en-v1.5", what: "a folder with model.onnx and tokenizer.json" },
    {
      command: "dossier model add http://localhost:11434/v1 --model nomic-embed-text",
      what: "Ollama, LM Studio, vLLM",
    },
    {
      command:
        "dossier model add https://api.openai.com/v1 --model text-embedding-3-small --key-variable OPENAI_API_KEY --yes",
      what: "a server that texts may be sent to",
    },
    { command: "dossier model add Xenova/bge-small-en-v1.5 --download", what: "fetch it, with checksums and licence" },
    { command: "dossier model use builtin", what: "only what is learned from the workspace itself" },
    { command: "dossier model rm bge-small-en-v1.5", what: "with its vectors; its files stay" },
  ],
  text: (output, _input, colour) => modelText(output, colour),
  async run(input, environment) {
    const { addModel, removeModel, statusOf, useModel } = await import("./steps.ts");
    const workspace = await environment.workspace();
    const run = { status: statusOf, add: addModel, use: useModel, remove: removeModel }[input.step];
    return run(input, workspace, environment);
  },
});

export type ModelStep = (
  input: ModelInput,
  workspace: Awaited<ReturnType<Environment["workspace"]>>,
  environment: Environment,
) => Promise<z.output<typeof modelOutput>>;

/** A model's status for people: name, progress of its vectors, next command. */
function modelText(output: ModelOutput, colour: boolean): string {
  const p = paint(colour);
  const { model, message, files = [], others, next } = output;
  const lines = [plain(message)];
  if (model) {
    const dimensions = model.dimensions === undefined ? "" : `, ${model.dimensions} dimensions`;
    lines.push(`  ${p.bold(plain(model.name))} (${model.provider}${dimensions}) ${plain(model.place)}`);
    if (model.licence) lines.push(`  licence ${plain(model.licence)}`);
    for (const { name, bytes: size, sha256 } of files) lines.push(p.dim(`  ${name} ${bytes(size)} sha256 ${sha256}`));
    if (output.items > 0) lines.push(`  ${progressText(output)}`);
  }
  for (const { name, vectors } of others) {
    lines.push(p.dim(`  also known: ${plain(name)}${vectors > 0 ? ` (${grouped(vectors)} vectors)` : ""}`));
  }
  for (const command of next) lines.push(p.dim(`  ${command}`));
  return lines.join("\n");
}

function progressText({ made, items, complete, secondsLeft, answering }: ModelOutput): string {
  const vectorsText = `${grouped(made)} of ${grouped(items)} vectors`;
  if (complete) return `${vectorsText}; questions are answered with it`;
  const timeLeft = secondsLeft === undefined ? "" : `, about ${timeText(secondsLeft)} to go`;
  const untilThen = answering === "builtin" ? "the built-in ones answer" : `those of ${plain(answering)} answer`;
  return `${vectorsText}${timeLeft}; until then ${untilThen}`;
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}
