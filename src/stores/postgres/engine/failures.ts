import { DossierError, type ErrorCode } from "../../../errors.ts";
import { type DatabaseAddress, withoutPassword } from "./address.ts";

/**
 * SQLSTATE codes of PostgreSQL and network codes of Node that a user may meet; see the appendix "Error Codes" of its
 * manual.
 */
const codes: Record<string, [ErrorCode, problem: string]> = {
  ECONNREFUSED: ["database-unreachable", "does not answer"],
  ENOTFOUND: ["database-unreachable", "has a host that is not known"],
  EAI_AGAIN: ["database-unreachable", "has a host that cannot be looked up now"],
  EHOSTUNREACH: ["database-unreachable", "cannot be reached"],
  ENETUNREACH: ["database-unreachable", "cannot be reached"],
  ETIMEDOUT: ["database-unreachable", "does not answer"],
  ECONNRESET: ["database-unreachable", "broke the connection"],
  EPIPE: ["database-unreachable", "broke the connection"],
  "08000": ["database-unreachable", "broke the connection"],
  "08003": ["database-unreachable", "broke the connection"],
  "08006": ["database-unreachable", "broke the connection"],
  "57P01": ["database-unreachable", "is being shut down"],
  "57P02": ["database-unreachable", "crashed and starts again"],
  "57P03": ["database-unreachable", "is starting or stopping"],
  "25006": ["database-unreachable", "is a standby that takes no writes"],
  "28000": ["database-refused", "refuses this user"],
  "28P01": ["database-refused", "refuses this user's password"],
  "3D000": ["database-refused", "has no database of this name"],
  "42501": ["database-refused", "does not give this user the rights it takes"],
  "57014": ["database-timeout", "took too long over a statement"],
  "40001": ["store-locked", "is written by others at the same time"],
  "40P01": ["store-locked", "is written by others at the same time"],
  "55P03": ["store-locked", "is locked by another process"],
  "53300": ["database-busy", "accepts no more connections"],
  "53200": ["database-busy", "is out of memory"],
  "53100": ["disk-full", "has no room left on its disk"],
  XX001: ["store-damaged", "has a damaged page"],
  XX002: ["store-damaged", "has a damaged index"],
};

/** Messages of the driver without a code. */
const messages: [RegExp, ErrorCode, problem: string][] = [
  [
    /^timeout exceeded when trying to connect/,
    "database-busy",
    "has no free connection: all of this process's are in use",
  ],
  [/^Query read timeout/, "database-timeout", "did not answer in time"],
  [/^Connection terminated due to connection timeout/, "database-unreachable", "does not answer"],
  [
    /Connection terminated|connection error and is not queryable|Client was closed/,
    "database-unreachable",
    "broke the connection",
  ],
  [/^SASL: .*password must be/, "database-refused", "asks for a password, and the URL has none"],
  [/server does not support SSL/i, "database-refused", "does not offer TLS, which the URL asks for"],
  [/certificate|self[- ]signed/i, "database-refused", "shows a certificate that is not trusted"],
];

/**
 * Turns an error of the driver or the server into one that a user can act on, without the password; other errors are
 * returned unchanged.
 */
export function asDatabaseFailure(thrown: unknown, address: DatabaseAddress): unknown {
  if (thrown instanceof DossierError || !(thrown instanceof Error)) return thrown;
  const failure = knownFailure(thrown);
  const message = withoutPassword(thrown.message, address);
  // The cause keeps the server's message, unless it might repeat the URL.
  const cause = message === thrown.message ? thrown : new Error(message);
  if (!failure) return message === thrown.message ? thrown : cause;
  const [code, problem] = failure;
  return new DossierError(code, `The database ${address.shown} ${problem} (${message}).`, { cause });
}

function knownFailure(error: Error): [ErrorCode, string] | undefined {
  const code = codeOf(error);
  if (code !== undefined && codes[code]) return codes[code];
  // A host may have several addresses; the error is then a list.
  if (error instanceof AggregateError) return error.errors.map(knownFailure).find((each) => each !== undefined);
  const match = messages.find(([pattern]) => pattern.test(error.message));
  return match ? [match[1], match[2]] : undefined;
}

function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** A statement that was not run because an earlier one in the transaction failed. */
export function isFollowUp(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown as { code?: unknown }).code === "25P02";
}

/** True when the connection is unusable. */
export function isConnectionLost(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = knownFailure(thrown)?.[0];
  return code === "database-unreachable" || /^Query read timeout/.test(thrown.message);
}

/** True when a retry may succeed: the server was lost or promoted, or two transactions conflicted. */
export function mayTryAgain(thrown: unknown): boolean {
  const code = thrown instanceof Error ? codeOf(thrown) : undefined;
  if (code === "40001" || code === "40P01") return true;
  return isConnectionLost(thrown) && !/^Query read timeout/.test((thrown as Error).message);
}
