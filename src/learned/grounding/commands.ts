/** What a command line runs, as far as it can be checked against the workspace. */
export type Command =
  /** `sure`: nothing but a script can be meant: `npm run x`, but not `yarn x`, which may be an installed program. */
  | { runs: "package-script"; script: string; name: string; sure: boolean }
  | { runs: "make-target"; target: string; name: string; sure: boolean }
  | { runs: "script-file"; path: string; name: string; sure: boolean }
  | { runs: "other"; name: string; sure: boolean };

const packageManagers = new Set(["npm", "pnpm", "yarn", "bun"]);
const interpreters = new Set(
  "node python python3 python2 bash sh zsh ruby perl php deno tsx ts-node source".split(" "),
);
const otherPrograms = new Set(
  (
    "cargo go npx pip pip3 pipx docker docker-compose podman kubectl helm git gh gradle mvn dotnet poetry uv uvx pytest terraform brew apt " +
    "apt-get dnf yum curl wget bundle rails rake composer tsc eslint jest vitest ssh scp rsync cd ls cat rm cp mv mkdir chmod chown export " +
    "sudo echo just task bazel cmake ninja tox nox ruff black mypy swift flutter dart mix sbt lein stack cabal zig nix grep rg find sed awk " +
    "tar unzip kill ps top psql mysql sqlite3 redis-cli aws gcloud az heroku vercel netlify systemctl journalctl service crontab which env"
  ).split(" "),
);
/** Scripts that npm, pnpm and bun run without `run` when package.json has them. */
const lifecycle = new Set(["test", "start", "stop", "restart", "t"]);
/** Flags of package managers and make that take a value. */
const valued = new Set([
  "--prefix",
  "-C",
  "--dir",
  "-w",
  "--workspace",
  "--filter",
  "-F",
  "--cwd",
  "-f",
  "--file",
  "-j",
]);
const scriptName = /^[\p{L}\p{N}_][\p{L}\p{N}_.:@/-]*$/u;
const targetName = /^[\p{L}\p{N}_][\p{L}\p{N}_./-]*$/u;
const scriptFile = /\.(sh|bash|zsh|py|js|mjs|cjs|ts|mts|cts|rb|pl|php|ps1)$/i;

/** Parses the words of one command, without `&&` and pipes. Undefined when it does not begin like a command. */
export function readCommand(words: readonly string[]): Command | undefined {
  let start = 0;
  while (/^[A-Z_][A-Z0-9_]*=/.test(words[start] ?? "") || words[start] === "sudo" || words[start] === "$") start++;
  const [program, ...rest] = words.slice(start);
  if (program === undefined) return undefined;
  if (packageManagers.has(program)) return packageCommand(program, rest);
  if (program === "make" || program === "gmake") return makeCommand(rest);
  if (/^\.\.?[\\/]./.test(program) && !/[\\/]$/.test(program)) return fileCommand(program, program);
  if (interpreters.has(program)) return interpreted(program, rest);
  return otherPrograms.has(program) ? { runs: "other", name: [program, ...rest].join(" "), sure: true } : undefined;
}

function packageCommand(program: string, rest: string[]): Command {
  const [verb, script] = plainWords(rest);
  const runs = verb === "run" || verb === "run-script";
  if (runs && script !== undefined && scriptName.test(script)) {
    return { runs: "package-script", script, name: `${program} run ${script}`, sure: true };
  }
  // `npm start` without such a script runs server.js.
  if (verb !== undefined && lifecycle.has(verb)) {
    const name = verb === "t" ? "test" : verb;
    return { runs: "package-script", script: name, name: `${program} ${verb}`, sure: name === "test" };
  }
  if (program !== "npm" && verb !== undefined && !runs && scriptName.test(verb)) {
    return { runs: "package-script", script: verb, name: `${program} ${verb}`, sure: false };
  }
  return { runs: "other", name: [program, ...rest].join(" "), sure: true };
}

function makeCommand(rest: string[]): Command {
  const target = plainWords(rest).find((word) => !word.includes("="));
  if (target === undefined || !targetName.test(target)) {
    return { runs: "other", name: ["make", ...rest].join(" "), sure: true };
  }
  return { runs: "make-target", target, name: `make ${target}`, sure: true };
}

function interpreted(program: string, rest: string[]): Command {
  const file = rest.find((word) => !word.startsWith("-"));
  // After -m, -c and -e there is no file.
  const isFile = file !== undefined && rest[0] === file && scriptFile.test(file);
  return isFile
    ? fileCommand(file, `${program} ${file}`)
    : { runs: "other", name: [program, ...rest].join(" "), sure: true };
}

function fileCommand(file: string, name: string): Command {
  if (!/^[\p{L}\p{N}_@.+\-/\\]+$/u.test(file)) return { runs: "other", name, sure: true };
  return { runs: "script-file", path: file.replaceAll("\\", "/").replace(/^(\.\/)+/, ""), name, sure: true };
}

/** Without flags and their values; words after `--` are for the script. */
function plainWords(words: readonly string[]): string[] {
  const plain: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === "--") break;
    if (valued.has(word)) i++;
    else if (!word.startsWith("-")) plain.push(word);
  }
  return plain;
}

/** Words that may follow `npm run` in a sentence without being a script. */
const afterRun = new Set(
  "a an the is are to and or in with of scripts script commands command it this that before after when if".split(" "),
);
const saidBeforeMake = new Set(
  "run runs running ran via with using use execute executes invoke invokes call calls try `".split(" "),
);
const cargoVerbs = new Set("build test run check clippy fmt bench doc install add update publish new init".split(" "));

/** True for the few words that begin a command inside a sentence. */
export function beginsCommand(word: string): boolean {
  return packageManagers.has(word) || interpreters.has(word) || /^(make|npx|cargo|\.\.?\/.*)$/.test(word);
}

/**
 * A command inside a sentence, whose end is not marked: only forms that are not English, and as few words as make
 * sense. Returns how many words it takes.
 */
export function commandInProse(words: readonly string[], at: number): { command: Command; length: number } | undefined {
  const [program, second, third] = words.slice(at, at + 3) as [string, string?, string?];
  const take = (length: number, sure: boolean) => {
    const command = readCommand(words.slice(at, at + length));
    return command && { command: { ...command, sure: command.sure && sure }, length };
  };
  if (packageManagers.has(program)) {
    if (second === "run" || second === "run-script") {
      return third !== undefined && scriptName.test(third) && !afterRun.has(third) ? take(3, true) : undefined;
    }
    return program === "npm" && second === "test" ? take(2, false) : undefined;
  }
  if (program === "make") {
    const isInstruction = saidBeforeMake.has((words[at - 1] ?? "").toLowerCase());
    return isInstruction && second !== undefined && /^[a-z][\w.-]*$/.test(second) && !afterRun.has(second)
      ? take(2, false)
      : undefined;
  }
  if (program === "npx" && second !== undefined) return take(2, true);
  if (program === "cargo" && second !== undefined && cargoVerbs.has(second)) return take(2, true);
  if (interpreters.has(program) && second !== undefined && scriptFile.test(second)) {
    return take(third !== undefined && second === "manage.py" ? 3 : 2, true);
  }
  const isScript = /^\.\.?\//.test(program) && /\.(sh|bash|zsh|ps1)$/.test(program);
  return isScript ? take(1, true) : undefined;
}
