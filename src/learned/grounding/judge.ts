import type { Touch } from "../../stores/commits.ts";
import { hashText } from "../../text/hash.ts";
import type { Command } from "./commands.ts";
import { gitAnswers, judgeSymbol, removalOf } from "./judge-symbols.ts";
import { type Fate, fateOf, folderFateOf } from "./paths.ts";
import { isMarked } from "./sketch.ts";
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

async function judgePath(
  name: string,
  groundingCase: GroundingCase,
  grounds: Grounds,
): Promise<GroundingVerdict | undefined> {
  const { paths } = grounds;
  if (await paths.locate(name)) return undefined;
  const candidates = [...(groundingCase.anchor ? [groundingCase.anchor.path] : []), ...paths.fromRoot(name)];
  const touches = await paths.touches(candidates);
  const fate = await firstFate(candidates, groundingCase, grounds);
  if (fate?.fate === "renamed") return isRenamed(name, name.endsWith("/") ? `${fate.to}/` : fate.to);
  // A file that was gone before the claim was written is not reported.
  if (fate) return isGone(name, fate.sha, fate.at < groundingCase.written - hour ? factors.known : factors.gone);
  if (groundingCase.anchor || isKnown(touches)) return { note: isMissing(name), factor: factors.missing };
  // A path that this tree never had belongs somewhere else and is not gone.
  return undefined;
}

async function firstFate(
  candidates: string[],
  groundingCase: GroundingCase,
  grounds: Grounds,
): Promise<Fate | undefined> {
  const { paths } = grounds;
  const git = gitAnswers(grounds);
  for (const path of candidates) {
    const fate = (await fateOf(path, paths, git)) ?? (await folderFateOf(path, paths));
    if (fate) return fate;
  }
  // People write the end of a path; if history has exactly one such path, that is the one they mean.
  if (groundingCase.anchor || groundingCase.trust !== "sure" || candidates.length === 0) return undefined;
  const [only, ...more] = await paths.onceEndingIn(candidates.at(-1)!);
  return only !== undefined && more.length === 0 ? fateOf(only, paths, git) : undefined;
}

function isKnown(touches: Map<string, Touch>): boolean {
  return touches.size > 0;
}

async function judgeScript(
  command: Command,
  groundingCase: GroundingCase,
  grounds: Grounds,
): Promise<GroundingVerdict | undefined> {
  if ((command.runs !== "package-script" && command.runs !== "make-target") || groundingCase.trust === "unsure")
    return undefined;
  const { anchor } = groundingCase;
  const isPackage = command.runs === "package-script";
  const name = isPackage ? command.script : command.target;
  const [kind, home] = isPackage ? ["script", "package.json"] : ["target", "Makefile"];
  const { byName, complete } = await (isPackage ? grounds.packageScripts() : grounds.makeTargets());
  // A target that is also a file needs no rule.
  if (byName.has(name) || (!isPackage && grounds.paths.onDisk(name))) return undefined;
  const file = anchor?.path ?? home;
  if (!complete && (!anchor || grounds.paths.onDisk(file))) return undefined;
  const noLonger = { note: `${command.name} is no longer a ${kind} of ${file}`, factor: factors.gone };
  if (anchor) {
    const heirs = [...byName].filter(([heir, places]) => {
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
