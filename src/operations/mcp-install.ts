import { homedir } from "node:os";
import * as z from "zod";
import { DossierError, errorCodes } from "../errors.ts";
import { clientNames, clients } from "../setup/clients.ts";
import {
  hooksTarget,
  installHooks,
  installServer,
  isForHereOnly,
  mayHaveHooks,
  type Setup,
  serverTarget,
  type Target,
  uninstallHooks,
  uninstallServer,
} from "../setup/install.ts";
import { currentStart } from "../setup/launch.ts";
import { type Paint, paint } from "./paint.ts";
import { writableRootOf } from "./root-of.ts";
import { plain } from "./words.ts";

/** Setting clients up for `dossier mcp`: the fields that the operation has for it, its answer and how that is told. */

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
type Told = z.output<typeof change>;

export type InstallInput = z.output<z.ZodObject<typeof installFields>> & { path: string; tools: "default" | "all" };

/** Whether an input asks for a set-up rather than for a server. */
export function asksToInstall({ install, uninstall, hooks, print }: InstallInput): boolean {
  return install !== undefined || uninstall !== undefined || hooks || print;
}

export async function installMcp(input: InstallInput, nameOf = (key: string) => key): Promise<Installed> {
  const { client, step } = askedOf(input, nameOf);
  const root = await writableRootOf({ path: input.path });
  const start = currentStart();
  const setup: Setup = {
    client,
    place: { root, home: homedir(), platform: start.platform, environment: start.environment },
    start,
    pinned: input.path !== ".",
    ...(input.tools === "all" && { tools: "all" as const }),
  };
  const write = !input.print;
  const title = clients[client].title;
  const changes: Told[] = [];
  if (step === "install") {
    changes.push(
      attempt(serverTarget(setup), write, () => {
        const { name, ...done } = installServer(setup, write);
        return { ...done, about: `the server ${name} for ${title}` };
      }),
    );
    if (input.hooks) {
      const work = () => ({ ...installHooks(setup, write), about: `the hooks for ${title}` });
      changes.push(attempt(hooksTarget(setup), write, work));
    }
  } else {
    if (!input.hooks) {
      changes.push(
        attempt(
          serverTarget(setup),
          write,
          () => {
            const { name, ...done } = uninstallServer(setup, write);
            return { ...done, about: `the server ${name} of ${title}`, undone: true };
          },
          true,
        ),
      );
    }
    if (client === "claude-code" && (input.hooks || mayHaveHooks(setup))) {
      const work = () => ({ ...uninstallHooks(setup, write), about: `the hooks of ${title}`, undone: true });
      changes.push(attempt(hooksTarget(setup), write, work, true));
    }
  }
  const warnings =
    step === "install" && isForHereOnly(setup)
      ? [`What is written names a place on this machine: it is of no use to others who share ${changes[0]!.file}.`]
      : [];
  const isDone = step === "install" && changes.some(({ what }) => what === "created" || what === "changed");
  return { client, step, written: write, changes, ...(isDone && { next: clients[client].afterwards }), warnings };
}

/** A file that was refused must not look like success to a script. */
export function installExit({ changes }: Installed): number {
  return changes.some(({ what }) => what === "refused") ? errorCodes["bad-config"].exit : 0;
}

export function installText({ changes, next, written }: Installed, colour: boolean): string {
  const p = paint(colour);
  const parts = changes.map(({ message, lines, what }) => {
    const shown = lines !== "" && (!written || what === "refused");
    return [plain(message), ...(shown ? ["", coloured(lines, p)] : [])].join("\n");
  });
  if (written && next !== undefined) parts.push(next);
  if (!written && changes.some(({ lines, what }) => lines !== "" && what !== "refused")) {
    parts.push("Nothing was written; without --print it will be.");
  }
  return parts.join(written ? "\n" : "\n\n");
}

function askedOf({ install, uninstall, hooks }: InstallInput, nameOf: (key: string) => string) {
  const client = install ?? uninstall;
  if (client === undefined || (install !== undefined && uninstall !== undefined)) {
    throw new DossierError("bad-input", `Say either ${nameOf("install")} or ${nameOf("uninstall")}, with a client.`);
  }
  if (hooks && client !== "claude-code") {
    throw new DossierError("bad-input", `${nameOf("hooks")} are for claude-code; ${clients[client].title} has none.`);
  }
  return { client, step: install === undefined ? ("uninstall" as const) : ("install" as const) };
}

type Done = { file: string; what: Exclude<Told["what"], "refused">; lines: string; about: string; undone?: boolean };

/** A file that cannot be read for certain is left alone: its user gets to see what to put there. */
function attempt({ file, snippet }: Target, write: boolean, work: () => Done, undo = false): Told {
  try {
    const { about, undone = false, ...done } = work();
    return { ...done, message: sentence(done, about, undone, write) };
  } catch (error) {
    if (!(error instanceof DossierError) || !["bad-config", "not-readable"].includes(error.code)) throw error;
    const yourself = undo ? "take out what is like this" : "put this there";
    const message = `${ended(error.message)} Nothing was changed. Correct the file, or ${yourself} yourself:`;
    return { file, what: "refused", lines: snippet.trimEnd(), message };
  }
}

function sentence({ file, what }: Omit<Done, "about">, about: string, undone: boolean, write: boolean): string {
  const subject = about[0]!.toUpperCase() + about.slice(1);
  const plural = about.startsWith("the hooks");
  if (what === "unchanged") {
    return undone ? `${file} has nothing of ours.` : `${subject} ${plural ? "are" : "is"} in ${file} already.`;
  }
  const verb = what === "created" ? "creates" : what === "deleted" ? "deletes" : "changes";
  if (!write) return `${undone ? "Taking out" : "Writing"} ${about} ${verb} ${file}:`;
  if (what === "deleted") return `Took ${about} out; nothing was left in ${file}, so it is deleted.`;
  return undone ? `Took ${about} out of ${file}.` : `Wrote ${about} to ${file}.`;
}

function ended(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function coloured(lines: string, p: Paint): string {
  const paintLine = (line: string) =>
    line.startsWith("+ ") ? p.green(line) : line.startsWith("- ") ? p.red(line) : line;
  // What a file contains must not steer the terminal.
  const shown = lines.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
  return shown.split("\n").map(paintLine).join("\n");
}
