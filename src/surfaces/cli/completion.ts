import { DossierError } from "../../errors.ts";
import { allOperations } from "../../operations/all.ts";
import type { Operation } from "../../operations/operation.ts";
import { flagsOf } from "./command-flags.ts";
import { type Flag, globalFlags } from "./flags.ts";

export const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

type Command = { name: string; summary: string; flags: Flag[]; words: readonly string[] };

const writers: Record<Shell, (commands: Command[]) => string> = { bash, zsh, fish };

/** A completion script made from the operations, so that it cannot fall behind them. */
export async function completion(shell: string | undefined): Promise<string> {
  const known = shells.find((candidate) => candidate === shell);
  if (!known) {
    const given = shell === undefined ? "" : `, not ${JSON.stringify(shell)}`;
    throw new DossierError("bad-input", `dossier completion takes one of ${shells.join(", ")}${given}.`);
  }
  return writers[known](commandsOf(await allOperations()));
}

function commandsOf(operations: Operation[]): Command[] {
  const names = operations.map((operation) => operation.name);
  return [
    ...operations.map((operation) => ({
      name: operation.name,
      summary: operation.summary,
      flags: [...flagsOf(operation), ...globalFlags],
      words: [],
    })),
    { name: "help", summary: "Show the flags and examples of a command", flags: globalFlags, words: names },
    { name: "completion", summary: "Print a completion script", flags: [], words: shells },
  ];
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
          .map((name) => `${command.name}:${name}`)
          .join("|"),
        flag,
      })),
  );
}

function bash(commands: Command[]): string {
  const values = valueCases(commands).map(({ pattern, flag }) => {
    const reply = flag.choices ? `-W "${flag.choices.join(" ")}"` : "-f";
    return `    ${pattern}) COMPREPLY=($(compgen ${reply} -- "$current")); return ;;`;
  });
  const flags = commands.map(
    (command) =>
      `    ${command.name}) flags="${command.flags.flatMap(spellings).join(" ")}"; words="${command.words.join(" ")}" ;;`,
  );
  return `# bash completion for dossier: source <(dossier completion bash)
_dossier() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" word flags="" words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
    ${commands.map((command) => command.name).join("|")}) command="$word"; break ;;
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
    COMPREPLY=($(compgen -W "${commands.map((command) => command.name).join(" ")}" -- "$current"))
  else
    COMPREPLY=($(compgen -f -W "$words" -- "$current"))
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
    const described = command.flags.flatMap((flag) =>
      spellings(flag).map((name) => zshQuote(`${name}:${flag.description.replaceAll(":", "\\:")}`)),
    );
    return `    ${command.name}) flags=(${described.join(" ")}); words=(${command.words.join(" ")}) ;;`;
  });
  const names = commands.map((command) => zshQuote(`${command.name}:${command.summary.replaceAll(":", "\\:")}`));
  return `#compdef dossier
# zsh completion for dossier: source <(dossier completion zsh)
_dossier() {
  local command="" word
  local -a flags commands
  local -a words_of_command
  commands=(${names.join(" ")})
  for word in "\${words[@]:1:$((CURRENT-2))}"; do
    case "$word" in
    ${commands.map((command) => command.name).join("|")}) command="$word"; break ;;
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
  else
    compadd -- $words_of_command
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

function zshQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fish(commands: Command[]): string {
  const names = commands.map((command) => command.name).join(" ");
  const lines = ["# fish completion for dossier: dossier completion fish | source"];
  for (const command of commands) {
    lines.push(
      `complete -c dossier -n 'not __fish_seen_subcommand_from ${names}' -a ${command.name} -d ${fishQuote(command.summary)}`,
    );
    const when = `-n '__fish_seen_subcommand_from ${command.name}'`;
    if (command.words.length > 0) lines.push(`complete -c dossier ${when} -f -a '${command.words.join(" ")}'`);
    for (const flag of command.flags) {
      const letter = flag.short ? ` -s ${flag.short}` : "";
      const value = flag.type === "boolean" ? "" : flag.choices ? ` -x -a '${flag.choices.join(" ")}'` : " -r";
      lines.push(`complete -c dossier ${when}${letter} -l ${flag.name}${value} -d ${fishQuote(flag.description)}`);
      if (flag.type === "boolean" && flag.field) {
        lines.push(`complete -c dossier ${when} -l no-${flag.name} -d ${fishQuote(`Not: ${flag.description}`)}`);
      }
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Inside fish's single quotes only the quote and the backslash are special. */
function fishQuote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
