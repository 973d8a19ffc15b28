import { redact } from "../../text/secrets/secrets.ts";
import { programOf, simpleCommands } from "./test-runs.ts";

/** What commands other than checks do to the project, as far as their words show. */

const reading =
  /^(?:ls|cat|head|tail|less|grep|egrep|rg|ag|find|fd|wc|pwd|cd|tree|stat|which|file|env|echo|printf|true|sleep|date|du|df|ps|jq|sort|uniq|cut|awk|diff|type|man|sed -n|git (?:status|diff|log|show|blame|branch|remote|grep|ls-files|rev-parse|describe|shortlog|reflog)|gh|npm (?:ls|view|outdated|run$)|(?:\S+ )?--(?:version|help))(?: |$)/;

/** Whether a command only reads. */
export function readsOnly(command: string): boolean {
  return simpleCommands(command).every((part) => reading.test(programOf(part)));
}

const preparing =
  /^(?:npm|pnpm|yarn|bun) (?:ci|install|i|add|update|dedupe|rebuild)(?: |$)|^yarn$|^(?:pip[\d.]*|uv|uv pip|poetry|pipenv|pdm|conda|bundle|gem|composer|cargo|go|dotnet|mix|brew|apt|apt-get|apk) (?:[\w.-]+ )?(?:install|add|sync|update|get|restore|fetch|download|deps\.get|tidy)(?: |$)|^python[\d.]* -m (?:pip install|venv)(?: |$)|^docker(?:-compose| compose)? (?:up|start|run|pull)(?: |$)|^(?:systemctl|service|brew services) (?:\S+ )?(?:start|restart)(?: |$)|^(?:createdb|initdb|pg_ctl|redis-server)(?: |$)|^\S+(?: [\w.-]+)? [\w:.-]*(?:migrate|generate|codegen|seed|setup|bootstrap|prepare|db:create)[\w:-]*(?: |$)|^git (?:submodule|lfs|pull|fetch)(?: |$)|^(?:nvm|fnm|asdf|mise|rustup|pyenv) (?:use|install|default|update|toolchain)(?: |$)|^rm -rf? (?:\S*\/)?(?:node_modules|dist|build|target|\.\w+|\w*cache\w*)(?: |$|\/)|^chmod |^ulimit /;

/** The part of a command line that prepares what a check needs: packages, services, generated files. */
export function preparingCommand(command: string): string | undefined {
  const part = simpleCommands(command).find((each) => preparing.test(programOf(each)));
  return part === undefined || part.length > longest || redact(part).found > 0 ? undefined : part;
}

const longest = 120;

/** Whether a command takes back changes to a file that were not committed. */
export function undoes(command: string, path: string): boolean {
  return simpleCommands(command).some((part) => {
    if (/^git stash(?: (?:push|save|-u|--include-untracked|-m|--keep-index).*)?$/.test(part)) return true;
    if (/^git reset (?:.* )?--hard(?: HEAD)?$/.test(part)) return true;
    const paths = /^git (?:checkout|restore)((?: .+)?)$/.exec(part)?.[1];
    if (paths === undefined || /^ (?:-b|-B|-t|--staged|--orphan|--detach)(?: |$)/.test(paths)) return false;
    return paths
      .split(" ")
      .filter((word) => word !== "" && !word.startsWith("-"))
      .some(
        (word) =>
          word === "." || word === path || path.startsWith(`${word.replace(/\/$/, "")}/`) || isEnding(path, word),
      );
  });
}

/** A path that was typed in a folder below the project's. */
function isEnding(path: string, word: string): boolean {
  return word.includes(".") && path.endsWith(`/${word}`);
}

export type PackageStep = { name: string; removed: boolean };

const packageCommand =
  /^(?:npm|pnpm|yarn|bun|pip[\d.]*|uv pip|uv|poetry|pipenv|pdm|cargo|gem|bundle|composer|dotnet|go)(?: global)? (install|i|add|require|get|uninstall|un|remove|rm)((?: .+)?)$/;

/** Packages that a command adds or removes, by their names without versions. */
export function packageSteps(command: string): PackageStep[] {
  return simpleCommands(command).flatMap((part) => {
    const [, verb, words] = packageCommand.exec(part.replace(/\s*2>&1$/, "")) ?? [];
    if (verb === undefined || !words) return [];
    return words
      .trim()
      .split(" ")
      .filter((word) => /^@?[a-z][\w./@~^<>=-]*$/i.test(word) && !word.startsWith("./"))
      .map((word) => word.replace(/(?<=.)(?:@[^/]*|[~^<>=]=?.*)$/, ""))
      .map((name) => ({ name, removed: /^(?:un|uninstall|remove|rm)$/.test(verb) }));
  });
}
