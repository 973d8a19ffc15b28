import { type Logger, pino } from "pino";
import type { HttpSettings } from "./settings.ts";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

/**
 * One line of JSON for each request: who (hashed), what, how long. Neither questions nor answers are logged. The
 * reason of a failure is logged with its stack where the server is at fault; where the client is, it may quote the
 * question, so it is logged at the level debug only.
 */
export function createLog(level: HttpSettings["log"], stream: { write(line: string): unknown } = process.stdout): Log {
  return pino(
    { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => void stream.write(line) },
  );
}
