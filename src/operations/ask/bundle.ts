import { isAbsolute } from "node:path";
import * as z from "zod";
import { DossierError } from "../../errors.ts";
import type { Citation } from "../../item.ts";

/** The part of an earlier result that is needed to check it. Everything else in the bundle is ignored. */
export type Cited = Citation & { name: string };

const line = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

const bundleSchema = z.object({
  items: z.array(
    z.object({
      name: z.string().default(""),
      citation: z
        .object({
          id: z.string(),
          itemId: z.string().default(""),
          path: z.string().min(1),
          startLine: line,
          endLine: line,
          hash: z.string().min(1),
        })
        .refine(({ startLine, endLine }) => startLine <= endLine, "endLine is before startLine"),
    }),
  ),
});

/** The citations of a result that was printed with --json. A bundle may come from anyone: nothing in it is trusted. */
export function readBundle(text: string): Cited[] {
  const parsed = bundleSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const where = issue.path.map(String).join(".");
    throw new DossierError(
      "bad-input",
      `The bundle is not a result of dossier context --json${where ? `: ${where}` : ""} (${issue.message}).`,
    );
  }
  return parsed.data.items.map(({ citation, name }) => {
    refuseOutside(citation.path);
    return { ...citation, name };
  });
}

function parseJson(text: string): unknown {
  if (text.trim() === "") throw new DossierError("bad-input", "The bundle is empty.");
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new DossierError("bad-input", `The bundle is not JSON: ${(error as Error).message}.`, { cause: error });
  }
}

function refuseOutside(path: string): void {
  const parts = path.split(/[\\/]/);
  if (isAbsolute(path) || /^[A-Za-z]:/.test(path) || path.includes("\0") || parts.includes("..")) {
    throw new DossierError("outside-root", `The bundle cites ${JSON.stringify(path)}, which is outside the workspace.`);
  }
}
