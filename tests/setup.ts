import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Tests count tokens from source, which reads the tables that the build makes: make them when they are missing. */
export default async function setup(): Promise<void> {
  const { buildRanks, rankEncodings, rankFileName } = await import("../scripts/build-ranks.ts");
  const folder = fileURLToPath(new URL("../dist/ranks/", import.meta.url));
  if (!rankEncodings.every((encoding) => existsSync(join(folder, rankFileName(encoding))))) await buildRanks(folder);
}
