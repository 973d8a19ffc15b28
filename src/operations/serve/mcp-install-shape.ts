import * as z from "zod";
import { errorCodes } from "../../errors.ts";
import { clientNames } from "../../setup/clients.ts";
import { type Paint, paint } from "../terminal/colours.ts";
import { plain } from "../terminal/phrases.ts";

/**
 * Setting clients up for `dossier mcp`: the fields of its input, its answer and its text. Loads nothing that does the
 * work.
 */

export const installFields = {
  install: z
    .enum(clientNames)
    .optional()
    .describe("Set this client up for the workspace instead of serving: its config is merged, never overwritten"),
  uninstall: z.enum(clientNames).optional().describe("Undo what --install did in this client's config"),
  hooks: z
    .boolean()
    .default(false)
    .describe("With claude-code: hooks as well, which add context to prompts and to a first failing test"),
  print: z.boolean().default(false).describe("Show the file and the change, and write nothing"),
};

const change = z.object({
  file: z.string(),
  what: z.enum(["created", "changed", "deleted", "unchanged", "refused"]),
  lines: z.string().describe("The change in lines, as diff shows it; what to paste where the file was refused"),
  message: z.string(),
});

export const installOutput = z.object({
  client: z.enum(clientNames),
  step: z.enum(["install", "uninstall"]),
  written: z.boolean().describe("False where it was only shown"),
  changes: z.array(change),
  next: z.string().optional().describe("What to do for it to take effect"),
  warnings: z.array(z.string()),
});

export type Installed = z.output<typeof installOutput>;
export type InstallReport = z.output<typeof change>;

export type InstallInput = z.output<z.ZodObject<typeof installFields>> & { path: string; tools: "default" | "all" };

/** Whether an input asks for a set-up rather than for a server. */
export function asksToInstall({ install, uninstall, hooks, print }: InstallInput): boolean {
  return install !== undefined || uninstall !== undefined || hooks || print;
}

/** A file that was refused must not look like success to a script. */
export function installExit({ changes }: Installed): number {
  return changes.some(({ what }) => what === "refused") ? errorCodes["bad-config"].exit : 0;
}

export function installText({ changes, next, written }: Installed, colour: boolean): string {
  const p = paint(colour);
  const parts = changes.map(({ message, lines, what }) => {
    const showsLines = lines !== "" && (!written || what === "refused");
    return [plain(message), ...(showsLines ? ["", coloured(lines, p)] : [])].join("\n");
  });
  if (written && next !== undefined) parts.push(next);
  if (!written && changes.some(({ lines, what }) => lines !== "" && what !== "refused")) {
    parts.push("Nothing was written; without --print it will be.");
  }
  return parts.join(written ? "\n" : "\n\n");
}

function coloured(lines: string, p: Paint): string {
  const paintLine = (line: string) =>
    line.startsWith("+ ") ? p.green(line) : line.startsWith("- ") ? p.red(line) : line;
  // Control characters of a file must not reach the terminal.
  const printable = lines.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
  return printable.split("\n").map(paintLine).join("\n");
}
