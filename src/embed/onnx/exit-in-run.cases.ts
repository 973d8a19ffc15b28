import { openModel } from "../open-model.ts";

/** A program that ends while its model runs: `node scripts/run.mjs src/embed/onnx/exit-in-run.cases.ts <folder>`. */
const [folder = ""] = process.argv.slice(2);
const model = await openModel({ provider: "onnx", folder });
const items = Array.from({ length: 500 }, (_, i) => ({ text: `item ${i} `.repeat(50), terms: new Uint8Array() }));
model.embedItems(items).catch((error) => console.error(error));
await model.embedQuery({ text: "a question", terms: [] });
process.exit(3);
