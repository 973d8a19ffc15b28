import { type Logger, pino } from "pino";
import type { Settings } from "./settings.ts";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

/**
 * One line of JSON for each request: who (hashed), what, how long. Neither questions nor answers are written at any level; the reason of a
 * failure is, with its stack, where the server is at fault.
 */
export function createLog(level: Settings["log"], stream: { write(line: string): unknown } = process.stdout): Log {
  return pino(
    { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => void stream.write(line) },
  );
}
