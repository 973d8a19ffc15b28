import type { Touch } from "../../stores/commits.ts";
import { hashText } from "../../text/hash.ts";
import type { Command } from "./commands.ts";
import { type Fate, fateOf, folderFateOf } from "./paths.ts";
import { isMarked } from "./sketch.ts";
import { gitAnswers, judgeSymbol, removalOf } from "./symbols.ts";
import {
  factors,
  type GroundingCase,
  type GroundingVerdict,
  type Grounds,
  isGone,
  isMissing,
  isRenamed,
} from "./verdict.ts";

export async function judge(one: GroundingCase, grounds: Grounds): Promise<GroundingVerdict | undefined> {
  const { kind, name, command } = one.mention;
  if (kind === "symbol") return judgeSymbol(one, grounds);
  if (kind === "path") return judgePath(name, one, grounds);
  if (command?.runs === "script-file") return judgePath(command.path, one, grounds);
  return command ? judgeScript(command, one, grounds) : undefined;
}

const hour = 60 * 60 * 1000;

async function judgePath(name: string, one: GroundingCase, grounds: Grounds): Promise<GroundingVerdict | undefined> {
  const { paths } = grounds;
  if (await paths.locate(name)) return undefined;
  const wanted = [...(one.anchor ? [one.anchor.path] : []), ...paths.fromRoot(name)];
  const touches = await paths.touches(wanted);
  const fate = await firstFate(wanted, one, grounds);
  if (fate?.fate === "renamed") return isRenamed(name, name.endsWith("/") ? `${fate.to}/` : fate.to);
  // What was gone already when the claim was written is no news to it.
  if (fate) return isGone(name, fate.sha, fate.at < one.written - hour ? factors.known : factors.gone);
  if (one.anchor || isKnown(touches)) return { note: isMissing(name), factor: factors.missing };
  // What this tree never had is somewhere else, not gone.
  return undefined;
}

async function firstFate(wanted: string[], one: GroundingCase, grounds: Grounds): Promise<Fate | undefined> {
  const { paths } = grounds;
  const git = gitAnswers(grounds);
  for (const path of wanted) {
    const fate = (await fateOf(path, paths, git)) ?? (await folderFateOf(path, paths));
    if (fate) return fate;
  }
  // People write the end of a path; one that history knows once is the one they mean.
  if (one.anchor || one.trust !== "sure" || wanted.length === 0) return undefined;
  const [only, ...more] = await paths.onceEndingIn(wanted.at(-1)!);
  return only !== undefined && more.length === 0 ? fateOf(only, paths, git) : undefined;
}

function isKnown(touches: Map<string, Touch>): boolean {
  return touches.size > 0;
}

async function judgeScript(
  command: Command,
  one: GroundingCase,
  grounds: Grounds,
): Promise<GroundingVerdict | undefined> {
  if ((command.runs !== "package-script" && command.runs !== "make-target") || one.trust === "unsure") return undefined;
  const { anchor } = one;
  const isPackage = command.runs === "package-script";
  const name = isPackage ? command.script : command.target;
  const [kind, home] = isPackage ? ["script", "package.json"] : ["target", "Makefile"];
  const { found, complete } = await (isPackage ? grounds.packageScripts() : grounds.makeTargets());
  // A target that is a file needs no rule.
  if (found.has(name) || (!isPackage && grounds.paths.onDisk(name))) return undefined;
  const file = anchor?.path ?? home;
  if (!complete && (!anchor || grounds.paths.onDisk(file))) return undefined;
  const noLonger = { note: `${command.name} is no longer a ${kind} of ${file}`, factor: factors.gone };
  if (anchor) {
    const heirs = [...found].filter(([heir, places]) => {
      return (
        !isMarked(anchor.beside ?? "", heir) && places.some(({ body }) => body !== "" && hashText(body) === anchor.hash)
      );
    });
    if (!isPackage || heirs.length !== 1) return noLonger;
    return isRenamed(command.name, `${command.name.split(" ")[0]} run ${heirs[0]![0]}`);
  }
  const removed = await removalOf(isPackage ? JSON.stringify(name) : name, [file], undefined, grounds);
  return removed ? noLonger : undefined;
}
