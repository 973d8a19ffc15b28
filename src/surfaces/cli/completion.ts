import { DossierError } from "../../errors.ts";
import { commands, commandsOf, nouns } from "../../operations/core/commands.ts";
import { loadOperation } from "../../operations/core/registry.ts";
import { flagsOf } from "./command-flags.ts";
import { type Flag, globalFlags, shells } from "./flags.ts";
import { summaryOf } from "./help.ts";

type Shell = (typeof shells)[number];

/** A command with its flags, and the words that may follow it. `under` is the noun of a command of two words. */
type Command = { name: string; under?: string; summary: string; flags: Flag[]; words: readonly string[] };

const writers: Record<Shell, (commands: Command[]) => string> = { bash, zsh, fish };

/** A completion script made from the operations, so that it cannot fall behind them. */
export async function completion(shell: string | undefined): Promise<string> {
  const known = shells.find((candidate) => candidate === shell);
  if (!known) {
    const wrongShell = shell === undefined ? "" : `, not ${JSON.stringify(shell)}`;
    throw new DossierError("bad-input", `dossier completion takes one of ${shells.join(", ")}${wrongShell}.`);
  }
  return writers[known](await completedCommands());
}

async function completedCommands(): Promise<Command[]> {
  const operations = await Promise.all(
    commands.map(async (entry): Promise<Command[]> => {
      const operation = await loadOperation(entry.operation);
      const [noun, verb] = entry.words.split(" ");
      const summary = summaryOf(operation, entry.step);
      const flags = [...flagsOf(operation, entry.step), ...globalFlags];
      const command = { name: entry.words, ...(verb && { under: noun }), summary, flags, words: [] };
      return entry.shortForm ? [command, { name: entry.shortForm, summary, flags, words: [] }] : [command];
    }),
  );
  const groups = Object.entries(nouns).map(
    ([name, { summary }]): Command => ({
      name,
      summary,
      flags: globalFlags,
      words: commandsOf(name).map(({ words }) => words.slice(name.length + 1)),
    }),
  );
  const all = [...operations.flat(), ...groups];
  const first = all.filter(({ under }) => under === undefined).map(({ name }) => name);
  return [
    ...all,
    { name: "help", summary: "Show what a command takes, with examples", flags: globalFlags, words: first },
    { name: "completion", summary: "Print a completion script", flags: [], words: shells },
  ];
}

function firstWords(commands: Command[]): Command[] {
  return commands.filter(({ under }) => under === undefined);
}

/** The commands of two words, quoted as patterns of a shell's case statement. */
function secondWords(commands: Command[]): string {
  return commands
    .filter(({ under }) => under !== undefined)
    .map(({ name }) => `"${name}"`)
    .join("|");
}

/** Every way to write a flag: `--refresh --no-refresh`, `-C --path`. */
function spellings(flag: Flag): string[] {
  const long = [`--${flag.name}`, ...(flag.type === "boolean" && flag.field ? [`--no-${flag.name}`] : [])];
  return flag.short ? [`-${flag.short}`, ...long] : long;
}

/** Flags with a value, once each, as `command:flag` patterns of a shell's case statement. */
function valueCases(commands: Command[]): { pattern: string; flag: Flag }[] {
  return commands.flatMap((command) =>
    command.flags
      .filter((flag) => flag.type !== "boolean")
      .map((flag) => ({
        pattern: spellings(flag)
          .map((name) => `"${command.name}:${name}"`)
          .join("|"),
        flag,
      })),
  );
}

/** A first word counts only where no other came before it: the space stands for the empty command. */
function firstPatterns(commands: Command[]): string {
  return firstWords(commands)
    .map(({ name }) => `" ${name}"`)
    .join("|");
}

function bash(commands: Command[]): string {
  const values = valueCases(commands).map(({ pattern, flag }) => {
    const reply = flag.choices ? `-W "${flag.choices.join(" ")}"` : "-f";
    return `    ${pattern}) COMPREPLY=($(compgen ${reply} -- "$current")); return ;;`;
  });
  const flags = commands.map(
    (command) =>
      `    "${command.name}") flags="${command.flags.flatMap(spellings).join(" ")}"; words="${command.words.join(" ")}" ;;`,
  );
  return `# bash completion for dossier: source <(dossier completion bash)
_dossier() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" word flags="" words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $word" in
    ${firstPatterns(commands)}) command="$word" ;;
    ${secondWords(commands)}) command="$command $word" ;;
    esac
  done
  case "\${command:-context}:$previous" in
${values.join("\n")}
  esac
  case "\${command:-context}" in
${flags.join("\n")}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ -z "$command" ]]; then
    COMPREPLY=($(compgen -W "${firstWords(commands)
      .map((command) => command.name)
      .join(" ")}" -- "$current"))
  elif [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o default -F _dossier dossier
`;
}

function zsh(commands: Command[]): string {
  const values = valueCases(commands).map(({ pattern, flag }) => {
    const action = flag.choices ? `compadd -- ${flag.choices.join(" ")}` : "_files";
    return `    ${pattern}) ${action}; return ;;`;
  });
  const flags = commands.map((command) => {
    const described = command.flags.flatMap((flag) => spellings(flag).map((name) => zshEntry(name, flag.description)));
    const verbs = commands.filter(({ under }) => under === command.name);
    const words =
      verbs.length > 0 ? verbs.map(({ name, summary }) => zshEntry(name.split(" ")[1]!, summary)) : command.words;
    return `    "${command.name}") flags=(${described.join(" ")}); words=(${words.join(" ")}) ;;`;
  });
  const names = firstWords(commands).map(({ name, summary }) => zshEntry(name, summary));
  return `#compdef dossier
# zsh completion for dossier: source <(dossier completion zsh)
_dossier() {
  local command="" word
  local -a flags commands
  local -a words_of_command
  commands=(${names.join(" ")})
  for word in "\${words[@]:1:$((CURRENT-2))}"; do
    case "$command $word" in
    ${firstPatterns(commands)}) command="$word" ;;
    ${secondWords(commands)}) command="$command $word" ;;
    esac
  done
  case "\${command:-context}:\${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  case "\${command:-context}" in
${flags.join("\n").replaceAll("; words=(", "; words_of_command=(")}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe flag flags
  elif [[ -z "$command" ]]; then
    _describe command commands
  elif (( $#words_of_command )); then
    _describe word words_of_command
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _dossier ]]; then
  _dossier "$@"
else
  compdef _dossier dossier
fi
`;
}

/** A word with its description, as `_describe` takes them. */
function zshEntry(word: string, description: string): string {
  return `'${`${word}:${description.replaceAll(":", "\\:")}`.replaceAll("'", "'\\''")}'`;
}

function fish(commands: Command[]): string {
  const hasWord = (words: string[]) => `__fish_seen_subcommand_from ${words.join(" ")}`;
  const first = firstWords(commands).map(({ name }) => name);
  const lines = [
    "# fish completion for dossier: dossier completion fish | source",
    ...globalFlags.flatMap((flag) => fishFlag(flag, "")),
  ];
  for (const { name, under, summary, words, flags } of commands) {
    const [noun, verb] = name.split(" ") as [string, string?];
    const verbs = commands.filter((other) => other.under === noun).map((other) => other.name.split(" ")[1]!);
    const before = verb === undefined ? `not ${hasWord(first)}` : `${hasWord([noun])}; and not ${hasWord(verbs)}`;
    const when = verb === undefined ? hasWord([noun]) : `${hasWord([noun])}; and ${hasWord([verb])}`;
    lines.push(`complete -c dossier -f -n '${before}' -a ${verb ?? noun} -d ${fishQuote(summary)}`);
    // The verbs of a noun are completed by themselves, with their sentences.
    if (words.length > 0 && (under !== undefined || verbs.length === 0))
      lines.push(`complete -c dossier -f -n '${when}' -a '${words.join(" ")}'`);
    const ownFlags = flags.filter((flag) => !globalFlags.includes(flag));
    lines.push(...ownFlags.flatMap((flag) => fishFlag(flag, ` -n '${when}'`)));
  }
  return `${lines.join("\n")}\n`;
}

function fishFlag(flag: Flag, condition: string): string[] {
  const letter = flag.short ? ` -s ${flag.short}` : "";
  const value = flag.type === "boolean" ? "" : flag.choices ? ` -x -a '${flag.choices.join(" ")}'` : " -r";
  const line = `complete -c dossier${condition}${letter} -l ${flag.name}${value} -d ${fishQuote(flag.description)}`;
  if (flag.type !== "boolean" || !flag.field) return [line];
  return [line, `complete -c dossier${condition} -l no-${flag.name} -d ${fishQuote(`Not: ${flag.description}`)}`];
}

/** Inside fish's single quotes only the quote and the backslash are special. */
function fishQuote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
