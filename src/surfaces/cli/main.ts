#!/usr/bin/env node
import * as module from "node:module";

// Newer Nodes (22.1) keep compiled code between runs; what is imported after this line profits from it.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
await import("./process.ts");
