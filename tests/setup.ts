/**
 * Tests run from source but count tokens with the built tables and parse in the built worker: build what is missing or
 * old. Servers start the built program of their workers.
 */
export default async function setup(): Promise<void> {
  const { buildDist } = await import("../scripts/build.ts");
  await buildDist(["ranks", "grammars", "worker", "model-worker", "program", "command-line", "web"]);
}
