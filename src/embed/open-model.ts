import type { ModelConfig, ModelEmbedder } from "./model-config.ts";

export type OpenModelOptions = {
  signal?: AbortSignal;
  /** Where the key of a server is read from; the process's own by default. */
  environment?: Record<string, string | undefined>;
};

/**
 * Opens the model a workspace is configured with. What it needs is loaded only now: a workspace without a model pays
 * nothing. Throws `model-damaged`, `model-unavailable`, `model-refused` or `runtime-missing`, each with a sentence that
 * says which model.
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
