import { hashText } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Case, type Expected, type Mined, withoutPlaces } from "../case.ts";
import { type CaseLine, readLines } from "../case-lines.ts";
import { expectedFrom } from "./expected.ts";

/** The cases of a file, with the items of this workspace that they expect; a missing item is a warning. */
export async function ownCases(
  workspace: Workspace,
  text: string,
  limit: number,
): Promise<Mined & { warnings: string[] }> {
  const lines = readLines(text);
  const cases: Case[] = [];
  const warnings: string[] = [];
  for (const line of lines) {
    const resolved = await Promise.all(line.expect.map((each) => expectedFrom(workspace, each)));
    const missing = line.expect.filter((_, i) => resolved[i] === undefined).map((each) => JSON.stringify(each));
    if (missing.length > 0) {
      warnings.push(`Line ${line.number} of the cases expects ${missing.join(", ")}, which is not in the index.`);
    }
    const expect = resolved.filter((each) => each !== undefined);
    if (expect.length > 0) cases.push(await caseOf(workspace, line, expect));
  }
  const why = lines.length === 0 ? "The file of cases is empty." : "Nothing that the cases expect is in the index.";
  return { cases: cases.slice(0, limit), found: lines.length, warnings, ...(cases.length === 0 ? { why } : {}) };
}

async function caseOf(workspace: Workspace, line: CaseLine, expect: Expected[]): Promise<Case> {
  const { number, query, before, code, sources } = line;
  const from = await Promise.all((line.not ?? []).map((each) => expectedFrom(workspace, each)));
  const hidden = from.flatMap((each) => each?.place ?? []);
  const time = before === undefined ? undefined : Date.parse(before);
  return {
    id: `own ${number} ${hashText(query)}`,
    kind: "own",
    query,
    expect,
    from: `line ${number}`,
    ...(time === undefined ? {} : { time }),
    limits: {
      ...(time === undefined ? {} : { before: time }),
      ...(code ? { code } : {}),
      ...(sources ? { sources } : {}),
      ...withoutPlaces(hidden),
    },
    hidden,
  };
}
