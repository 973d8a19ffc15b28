import { isListOf, valueAt, type Way, withJson, withListed, withoutJson } from "./json-config.ts";
import type { Launch } from "./launch.ts";
import { startsUs } from "./servers.ts";

/** Hooks of Claude Code: commands that it runs at certain events, and whose output it adds to the conversation. */

type Hook = {
  event: string;
  matcher?: string;
  name: "prompt" | "failure" | "start" | "end";
  timeout: number;
  often?: true;
};

/**
 * A command that fails raises PostToolUseFailure, one that succeeds PostToolUse. Both matter: `npm test | tail`
 * succeeds whatever the tests do. PostToolUse comes so often that npx, which starts slowly, is too expensive for it.
 */
const hooks: readonly Hook[] = [
  { event: "UserPromptSubmit", name: "prompt", timeout: 15 },
  { event: "PostToolUseFailure", matcher: "Bash", name: "failure", timeout: 15 },
  { event: "PostToolUse", matcher: "Bash", name: "failure", timeout: 15, often: true },
  { event: "SessionStart", name: "start", timeout: 15 },
  { event: "SessionEnd", name: "end", timeout: 15 },
];

/** The settings with our hooks among the others. */
export function withHooks(path: string, text: string | undefined, launch: Launch): string {
  let changed = text;
  const isSlow = [launch.command, ...launch.args].includes("npx");
  for (const { event, matcher, name, timeout, often } of hooks) {
    const command = shellCommand(launch, name);
    const existing = ownHooks(path, changed, event, name);
    for (const way of existing) changed = withJson(path, changed, [...way, "command"], command);
    if (existing.length > 0 || (often && isSlow)) continue;
    const group = { ...(matcher && { matcher }), hooks: [{ type: "command", command, timeout }] };
    changed = withListed(path, changed, ["hooks", event], group);
  }
  return changed!;
}

/** The settings without our hooks. */
export function withoutHooks(path: string, text: string): string {
  let changed = text;
  for (const { event, name } of hooks) {
    // From the end, since removing an element moves the later ones.
    for (const way of ownHooks(path, changed, event, name).toReversed()) {
      // A group's matcher is useless without a hook in it.
      const isAlone = (valueAt(path, changed, way.slice(0, 4)) as unknown[]).length === 1;
      changed = withoutJson(path, changed, isAlone ? way.slice(0, 3) : way);
    }
  }
  return changed;
}

/** The text to paste. */
export function hooksSnippet(launch: Launch): string {
  return withHooks("", undefined, launch);
}

type Group = { hooks?: unknown };

function ownHooks(path: string, text: string | undefined, event: string, name: Hook["name"]): Way[] {
  const groups = valueAt(path, text, ["hooks", event]);
  if (!isListOf<Group>(groups)) return [];
  return groups.flatMap((group, at) => {
    if (!isListOf<{ command?: unknown }>(group.hooks)) return [];
    return group.hooks.flatMap((hook, position): Way[] =>
      isOwn(hook.command, name) ? [["hooks", event, at, "hooks", position]] : [],
    );
  });
}

function isOwn(command: unknown, name: Hook["name"]): boolean {
  if (typeof command !== "string") return false;
  const words = command.replace(/["']/g, "").split(/\s+/);
  const at = words.indexOf("hook");
  return at > 0 && words[at + 1] === name && startsUs(words.slice(0, at));
}

/** A command line for a POSIX shell, which Claude Code has on Windows as well. */
function shellCommand({ command, args }: Launch, name: Hook["name"]): string {
  // `cmd /c` starts a .cmd file without a shell; here a shell runs the command, and needs no cmd.
  const words = command === "cmd" ? args.slice(1) : [command, ...args];
  return [...words, "hook", name].map(shellWord).join(" ");
}

function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // Backslashes are only those of Windows' paths, which knows the other ones, too.
  if (/^[a-z]:\\/i.test(word)) return `"${word.replaceAll("\\", "/")}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
