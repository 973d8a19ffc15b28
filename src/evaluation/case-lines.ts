import * as z from "zod";
import { DossierError } from "../errors.ts";
import { sourceNames } from "../item.ts";
import { type Case, nameOf } from "./case.ts";

/**
 * Cases that a user wrote, one JSON object a line: {"query": "…", "expect": ["path", "path::Name", "id"]}. Optional
 * keys: `before` (commits from this time on are not evidence), `code` (only code that is not a test), `sources` (only
 * these), `not` (places that the question was taken from). Other keys are comments.
 */
const lineSchema = z.object({
  query: z.string().trim().min(1),
  expect: z.union([
    z
      .string()
      .min(1)
      .transform((each) => [each]),
    z.array(z.string().min(1)).min(1),
  ]),
  before: z.iso.datetime({ offset: true }).or(z.iso.date()).optional(),
  code: z.boolean().optional(),
  sources: z.array(z.enum(sourceNames)).min(1).optional(),
  not: z.array(z.string().min(1)).optional(),
});

/** `number`: of the line in its file. */
export type CaseLine = z.output<typeof lineSchema> & { number: number };

/** A case as a line of such a file. */
export function lineOf({ query, expect, from, kind, limits: { before, code, sources }, hidden }: Case): string {
  const line = {
    query,
    expect: expect.map(nameOf),
    ...(before === undefined ? {} : { before: new Date(before).toISOString() }),
    ...(code ? { code } : {}),
    ...(sources ? { sources } : {}),
    ...(hidden.length > 0 ? { not: hidden } : {}),
    kind,
    from,
  };
  return `${JSON.stringify(line)}\n`;
}

export function readLines(text: string): CaseLine[] {
  return text
    .split(/\r?\n/)
    .map((line, i) => ({ line: line.trim(), number: i + 1 }))
    .filter(({ line }) => line !== "")
    .map(({ line, number }) => ({ ...readLine(line, number), number }));
}

function readLine(line: string, number: number): z.output<typeof lineSchema> {
  const wrong = (problem: string, cause?: unknown) =>
    new DossierError(
      "bad-input",
      `Line ${number} of the cases ${problem}; it takes {"query": "…", "expect": ["path", …]}.`,
      {
        cause,
      },
    );
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw wrong("is not JSON", error);
  }
  const parsed = lineSchema.safeParse(value);
  if (parsed.success) return { ...parsed.data, expect: [...new Set(parsed.data.expect)] };
  const key = parsed.error.issues[0]!.path[0];
  const faults: Record<string, string> = { query: "has no query", expect: "says nothing that is expected" };
  throw wrong(key === undefined ? "is no object" : (faults[String(key)] ?? `has a wrong ${String(key)}`));
}
