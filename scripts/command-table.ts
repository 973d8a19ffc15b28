import { allOperations } from "../src/operations/core/registry.ts";

/**
 * `src/operations/core/command-table.ts`: the commands that operations state, so that choosing one loads none of them.
 */
export async function commandTablePage(): Promise<string> {
  const operations = await allOperations();
  const row = (...words: string[]) => `  [${words.map((word) => `"${word}"`).join(", ")}],`;
  const rows = operations.flatMap(({ name, command, group }) => {
    if (command === undefined || group === undefined) return [];
    if (typeof command === "string") return [row(command, group, name)];
    return Object.entries(command).map(([step, { words }]) => row(words, group, name, step));
  });
  const short = operations.flatMap(({ shortForm, command }) => (shortForm ? `${shortForm}: "${command}"` : []));
  return `import type { CommandGroup } from "./operation.ts";
import type { OperationName } from "./registry.ts";

// Made from the operations by \`npm run docs\`; edits here are lost.

type Row = readonly [words: string, group: CommandGroup, operation: OperationName, step?: string];

export const commandTable: readonly Row[] = [
${rows.join("\n")}
];

export const shortForms: Readonly<Record<string, string>> = { ${short.join(", ")} };
`;
}
