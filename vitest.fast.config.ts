import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import whole from "./vitest.config.ts";

/** For the inner loop, under a minute: the rooms' own tests, without those that start processes, read large texts, build repositories or fill databases. */
const slow = [
  "tests/**",
  "bench/**",
  "src/indexing/**",
  "src/operations/**",
  "src/learned/grounding/**",
  "src/notes/readers/**",
  "src/embed/{http,onnx}/**",
  "src/evaluation/**",
  "src/git/**",
  "src/results/**",
  "src/sources/code/robust.test.ts",
  "src/stores/{sqlite,postgres}/**",
  "src/stores/copy.test.ts",
  "src/surfaces/**",
  "src/**/*-processes.test.ts",
  "src/**/hostile-*.test.ts",
];

export default mergeConfig(whole, defineConfig({ test: { exclude: [...configDefaults.exclude, ...slow] } }));
