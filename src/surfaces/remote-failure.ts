import type { DossierError, ErrorCode } from "../errors.ts";

/** Failures whose messages name files and folders of this machine: remote callers only get a general sentence. */
const machineFailures: Partial<Record<ErrorCode, string>> = {
  internal: "The server failed to answer.",
  "store-newer": "The server failed to answer.",
  "records-newer": "The server failed to answer.",
  "git-failed": "The server failed to answer.",
  "not-readable": "The server failed to answer.",
  "refused-root": "The server failed to answer.",
  "disk-full": "The server's disk is full.",
  "store-damaged": "The server's index is damaged.",
  "records-damaged": "The server's records are damaged.",
  "bad-config": "The server's config file is wrong.",
};

/** The message of a failure for a remote caller. */
export function remoteMessage({ code, message }: DossierError): string {
  return machineFailures[code] ?? message;
}
