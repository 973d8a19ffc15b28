import { homedir } from "node:os";
import { DossierError } from "../../errors.ts";
import { clients } from "../../setup/clients.ts";
import {
  hooksTarget,
  type InstallTarget,
  installHooks,
  installServer,
  isForHereOnly,
  mayHaveHooks,
  type Setup,
  serverTarget,
  uninstallHooks,
  uninstallServer,
} from "../../setup/install.ts";
import { currentStart } from "../../setup/launch.ts";
import { asSentence } from "../../text/as-sentence.ts";
import { writableRootOf } from "../core/workspace-root.ts";
import type { Installed, InstallInput, InstallReport } from "./mcp-install-shape.ts";

/** Sets a client up, or undoes it. */
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
  const changes: InstallReport[] = [];
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

type Done = {
  file: string;
  what: Exclude<InstallReport["what"], "refused">;
  lines: string;
  about: string;
  undone?: boolean;
};

/** A file that cannot be parsed reliably is not changed: its user sees what to add. */
function attempt({ file, snippet }: InstallTarget, write: boolean, work: () => Done, undo = false): InstallReport {
  try {
    const { about, undone = false, ...done } = work();
    return { ...done, message: sentence(done, about, undone, write) };
  } catch (error) {
    if (!(error instanceof DossierError) || !["bad-config", "not-readable"].includes(error.code)) throw error;
    const yourself = undo ? "take out what is like this" : "put this there";
    const message = `${asSentence(error.message)} Nothing was changed. Correct the file, or ${yourself} yourself:`;
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
