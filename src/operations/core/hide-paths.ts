import { isAbsolute } from "node:path";
import type { z } from "zod";
import { DossierError } from "../../errors.ts";
import { isInside, relativePath } from "../../tree/path-escape.ts";
import type { Environment, Operation, Progress } from "./operation.ts";

/**
 * Hides paths of this machine from remote callers. Fields with a path are shown relative to the workspace; sentences
 * (warnings, failures, progress) keep the last name of any path. Texts of documents and files stay as they are.
 */

/** A path as the caller may see it: whole, or relative to the root, or its last name where it lies elsewhere. */
export function shownPlace(path: string, root: string, { discreet }: Pick<Environment, "discreet">): string {
  if (!discreet) return path;
  if (path === root) return ".";
  if (isInside(root, path)) return relativePath(root, path);
  return isAbsolute(path) || /^~|^[a-z]:[\\/]/i.test(path) ? lastName(path) : path;
}

/**
 * Two names or more after a slash that begins a word: `/home/ada/notes`, `~/notes/x.md`, `C:\notes\x.md`. Web
 * addresses do not match.
 */
const absolute = /(?<![\w.:/\\~-])(?:~|[a-z]:)?(?:[\\/][^\s"'`:;,()<>|\\/]+){2,}[\\/]?|~[\\/][^\s"'`:;,()<>|\\/]+/gi;

export function withoutPlaces(sentence: string, root: string): string {
  const exact = root.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return sentence
    .replace(new RegExp(`${exact}[\\\\/](?=[^\\s])`, "g"), "")
    .replace(new RegExp(`${exact}(?![\\w-])`, "g"), "the workspace")
    .replace(absolute, lastName);
}

function lastName(path: string): string {
  return path.split(/[\\/]+/).findLast((name) => name !== "") ?? path;
}

/** Runs an operation for a caller who may not see where anything is on this machine. */
export async function runDiscreetly<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  input: z.output<Input>,
  environment: Environment,
  root: string,
): Promise<z.output<Output>> {
  const report = environment.progress;
  const progress =
    report &&
    (({ detail, ...rest }: Progress) =>
      report({ ...rest, ...(detail !== undefined && { detail: withoutPlaces(detail, root) }) }));
  try {
    return withPlainWarnings(await operation.run(input, { ...environment, progress }), root);
  } catch (error) {
    throw plainFailure(error, root);
  }
}

/** The same error with a sentence that names no path; the original is its cause, for a log. */
export function plainFailure(thrown: unknown, root: string): unknown {
  if (!(thrown instanceof DossierError)) return thrown;
  const message = withoutPlaces(thrown.message, root);
  return message === thrown.message ? thrown : new DossierError(thrown.code, message, { cause: thrown });
}

function withPlainWarnings<Output>(output: Output, root: string): Output {
  if (typeof output !== "object" || output === null || !("warnings" in output)) return output;
  const { warnings } = output;
  if (!Array.isArray(warnings)) return output;
  return { ...output, warnings: warnings.map((sentence) => withoutPlaces(String(sentence), root)) };
}
