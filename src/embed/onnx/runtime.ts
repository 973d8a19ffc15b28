import { createRequire } from "node:module";
import { DossierError } from "../../errors.ts";

/** The part of ONNX Runtime's interface that is used here; its two packages share it. */
export type Runtime = {
  InferenceSession: { create(path: string, options: object): Promise<InferenceSession> };
  Tensor: new (type: "int64", data: BigInt64Array, shape: number[]) => Tensor;
  env: { wasm?: { numThreads?: number } };
};

export type InferenceSession = {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  release(): Promise<void>;
};

type Tensor = { readonly data: unknown; readonly dims: readonly number[] };

/** The native runtime comes first: the WebAssembly one gives the same vectors, but is some twenty times slower. */
const packages = ["onnxruntime-node", "onnxruntime-web"];

/**
 * The runtime that the user installed: beside Dossier, or in NODE_PATH. It is never loaded from the indexed folder,
 * whose packages must not be run.
 */
export function loadRuntime(load: (name: string) => unknown = createRequire(import.meta.url)): Runtime {
  const problems: unknown[] = [];
  for (const name of packages) {
    try {
      return load(name) as Runtime;
    } catch (error) {
      const isMissing =
        (error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND" && String(error).includes(`'${name}'`);
      if (!isMissing) problems.push(error);
    }
  }
  const [problem] = problems;
  const reason = problem instanceof Error ? ` (${problem.message.split("\n")[0]})` : "";
  throw new DossierError(
    "runtime-missing",
    problem
      ? `ONNX Runtime is installed but does not load${reason}.`
      : "ONNX models run on the package onnxruntime-node, which is not installed: npm install --ignore-scripts onnxruntime-node",
    { cause: problem },
  );
}
