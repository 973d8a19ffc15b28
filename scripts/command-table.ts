import { allOperations } from "../src/operations/all.ts";

/** `src/operations/command-table.ts`: the commands that operations state, so that choosing one loads none of them. */
export async function commandTablePage(): Promise<string> {
  const lines = (await allOperations()).flatMap(({ name, command, shortForm, group }) => {
    if (command === undefined) return [];
    const short = shortForm === undefined ? "" : `, shortForm: "${shortForm}"`;
    if (typeof command === "string")
      return [`  { words: "${command}", operation: "${name}"${short}, group: "${group}" },`];
    return Object.entries(command).map(
      ([step, { words }]) => `  { words: "${words}", operation: "${name}", step: "${step}", group: "${group}" },`,
    );
  });
  return `import type { CommandEntry } from "./commands.ts";

// Made from the operations by \`npm run docs\`; edits here are lost.
export const commandTable: readonly CommandEntry[] = [
${lines.join("\n")}
];
`;
}
