import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built worker: beside this file in dist, or in dist when running from source. */
export function workerScript(): string | undefined {
  const places = ["./worker.js", "../../../dist/worker.js"].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  return places.find((place) => existsSync(place));
}
