import { DossierError } from "../../errors.ts";
import { userScope } from "../../stores/layered-records.ts";
import type { RecordFilter } from "../../stores/records.ts";
import type { Memory } from "../memory.ts";

/** When and where a memory holds. */

/** Whether a memory was valid at a time: written by then, not expired, and not replaced. */
export function isCurrent(
  { until, superseded }: Memory,
  created: number,
  { now, asOf }: { now: number; asOf?: number },
): boolean {
  const at = asOf ?? now;
  if (asOf !== undefined && created > asOf) return false;
  if (until !== undefined && until <= at) return false;
  return superseded === undefined || (asOf !== undefined && superseded.at > asOf);
}

/** The same as a filter, for memories that are valid now. */
export function currentOnly(now: number): Pick<RecordFilter, "without"> {
  return { without: [{ path: "superseded.by" }, { path: "until", upTo: now }] };
}

const longestScope = 200;

/** A scope as it is stored: `~`, or a path glob relative to the root; undefined for the whole workspace. */
export function readScope(input: string | undefined): string | undefined {
  const scope = input?.trim().replaceAll("\\", "/").replace(/^\.\//, "").replace(/\/+$/, "/**") ?? "";
  if (scope === "" || scope === "." || scope === "**") return undefined;
  if (scope === userScope) return scope;
  const wrong = scope.startsWith("/") || /^[a-z]:/i.test(scope) || scope.split("/").includes("..");
  if (wrong || scope.startsWith("~")) {
    const message = `A scope is ~ or a path glob inside the workspace such as api/**, not ${JSON.stringify(scope.slice(0, 80))}.`;
    throw new DossierError("bad-input", message);
  }
  if (scope.length > longestScope || /[\u0000-\u001f\u007f]/.test(scope)) {
    throw new DossierError(
      "too-long",
      `A scope has at most ${longestScope} characters, and none that steer a terminal.`,
    );
  }
  return scope;
}

/**
 * Notes for the reader on where and how long a memory is valid. A replaced one is only printed for a question about the
 * past.
 */
export function validityNotes({ scope, until, superseded }: Memory): string[] {
  return [
    ...(scope === userScope ? ["in all workspaces of its user"] : scope === undefined ? [] : [`only in ${scope}`]),
    ...(until === undefined ? [] : [`until ${day(until)}`]),
    ...(superseded === undefined ? [] : [`superseded on ${day(superseded.at)} by ${superseded.by}`]),
  ];
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/**
 * The time at which a statement counts as written. A wrong clock must not win a contradiction: a time in the future
 * counts as older than all others.
 */
export function writtenAt(changed: number, now: number): number {
  return changed > now + tolerance ? 0 : changed;
}

/** Clocks of two machines differ a little. */
const tolerance = 60 * 60 * 1000;
