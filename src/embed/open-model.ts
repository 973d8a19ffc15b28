import type { ModelConfig, ModelEmbedder } from "./model-config.ts";

export type OpenModelOptions = {
  signal?: AbortSignal;
  /** The environment variables that contain the key of a server; by default the process's own. */
  environment?: Record<string, string | undefined>;
};

/**
 * Opens the model that a workspace is configured with. Its modules are loaded here, so that a workspace without a model
 * has no cost. Throws `model-damaged`, `model-unavailable`, `model-refused` or `runtime-missing`, each with a sentence
 * that names the model.
 */
export async function openModel(config: ModelConfig, options: OpenModelOptions = {}): Promise<ModelEmbedder> {
  switch (config.provider) {
    case "static":
      return (await import("./static/static.ts")).openStaticModel(config);
    case "onnx":
      return (await import("./onnx/onnx.ts")).openOnnxModel(config, options.signal);
    case "http":
      return (await import("./http/http.ts")).openHttpModel(config, options);
  }
}
