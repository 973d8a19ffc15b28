import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { DossierError } from "../errors.ts";
import { knownModel } from "./known-models.ts";
import { graphOf, modelNameOf, requireFolder, weightsName } from "./model-folder.ts";
import { readGraph } from "./onnx/onnx-file.ts";
import { SafetensorsFile } from "./static/safetensors.ts";
import { tableShape } from "./static/static.ts";

/** The content of a model's folder, for a user who is about to use it. */
export type InspectedModel = {
  provider: "static" | "onnx";
  model: string;
  dimensions: number;
  /** The licence in the folder's README or in the table of known models. */
  licence?: string;
  files: ModelFile[];
};

type ModelFile = { name: string; bytes: number; sha256: string };

/**
 * Reads a model's folder without running the model. Throws `not-a-folder` or `model-damaged` with a sentence that names
 * what is missing.
 */
export async function inspectModelFolder(folder: string, signal?: AbortSignal): Promise<InspectedModel> {
  requireFolder(folder);
  const tokenizer = join(folder, "tokenizer.json");
  if (!existsSync(tokenizer)) throw new DossierError("model-damaged", `There is no tokenizer.json in ${folder}.`);
  const { provider, dimensions, weights } = weightsIn(folder);
  const model = modelNameOf(folder);
  const licence = licenceIn(folder) ?? knownModel(model).licence;
  const files = await Promise.all([...weights, tokenizer].map((path) => describeFile(folder, path, signal)));
  return { provider, model, dimensions, ...(licence && { licence }), files };
}

function weightsIn(folder: string): Pick<InspectedModel, "provider" | "dimensions"> & { weights: string[] } {
  const graph = graphOf(folder);
  if (graph) {
    const { dimensions } = readGraph(graph);
    // Weights above two gigabytes are stored beside their graph.
    const weightFiles = [`${graph}_data`, `${graph}.data`].filter((path) => existsSync(path));
    return { provider: "onnx", dimensions, weights: [graph, ...weightFiles] };
  }
  const weights = join(folder, weightsName);
  if (!existsSync(weights)) {
    throw new DossierError(
      "model-damaged",
      `There is no model in ${folder}: neither model.safetensors nor model.onnx nor model_quantized.onnx.`,
    );
  }
  const file = new SafetensorsFile(weights);
  try {
    return { provider: "static", dimensions: tableShape(file, folder).dimensions, weights: [weights] };
  } finally {
    file.close();
  }
}

async function describeFile(folder: string, path: string, signal: AbortSignal | undefined): Promise<ModelFile> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal });
  return { name: relative(folder, path), bytes: statSync(path).size, sha256: hash.digest("hex") };
}

/** The licence in the first lines of a hub's README. */
function licenceIn(folder: string): string | undefined {
  const path = join(folder, "README.md");
  if (!existsSync(path)) return undefined;
  const [, header = ""] = /^---\r?\n([\s\S]*?)\r?\n---/.exec(readFileSync(path, "utf8")) ?? [];
  return /^license:[ \t]*["']?([\w.-]+)/m.exec(header)?.[1];
}
