import { commands, nouns } from "../../operations/core/commands.ts";
import type { CommandGroup } from "../../operations/core/operation.ts";
import { paint } from "../../operations/terminal/colours.ts";
import { shells } from "./flags.ts";
import { type HelpRow, rows } from "./help-layout.ts";
import type { ownCommands } from "./route.ts";

/** The text of `dossier` alone and of --help: one screen, made of names only, so that no operation is loaded for it. */
export function overview(colour: boolean): string {
  const p = paint(colour);
  const verbRows = verbGroups.map(([title, ...groups]): HelpRow => [title, p.cyan(wordsIn(groups).join(", "))]);
  const nounRows = Object.entries(nouns).map(([noun, { summary }]): HelpRow => [p.cyan(noun), summary]);
  return `${[
    `${p.bold("dossier")}: ask a question, get the best evidence as one cited document`,
    "",
    '  dossier "question"        the same as dossier context "question"',
    "  dossier <verb> --help     what a verb takes, with examples",
    ...rows(verbRows),
    "",
    "  dossier <noun> --help     the verbs of a noun, as in dossier memory list",
    ...rows(nounRows),
    "dossier help --all lists every command. All of them take --json and --quiet.",
  ].join("\n")}\n`;
}

/** The rows of verbs, each made of one or more groups, since some groups have a single verb. */
const verbGroups: [title: string, ...groups: CommandGroup[]][] = [
  ["Ask", "Ask"],
  ["Learn", "Notes", "Memories", "Experiences", "Library"],
  ["Index", "Index", "History"],
  ["Serve", "Serve"],
];

/** Commands of one word, and one-word aliases of longer ones. */
function wordsIn(groups: CommandGroup[]): string[] {
  const members = commands.filter(({ group }) => groups.includes(group));
  return members.flatMap(({ words, shortForm }) => shortForm ?? (words.includes(" ") ? [] : words));
}

const summaries: Record<(typeof ownCommands)[number], string> = {
  help: "Show what a command takes, with examples",
  completion: `Print a completion script for ${shells.join(", ")}`,
};

const ownUsage: Record<(typeof ownCommands)[number], string[]> = {
  help: ["dossier help [command]", "dossier help --all"],
  completion: [`dossier completion <${shells.join("|")}>`],
};

const ownExamples: Record<(typeof ownCommands)[number], string[]> = {
  help: ["dossier help memory", "dossier help memory add"],
  completion: [
    "source <(dossier completion bash)",
    "dossier completion fish > ~/.config/fish/completions/dossier.fish",
  ],
};

/** The pages of the commands that are no operations. */
export function ownHelp(name: (typeof ownCommands)[number]): string {
  const lines = (texts: string[]) => texts.map((text) => `  ${text}`);
  return `${[summaries[name], "", "Usage", ...lines(ownUsage[name]), "", "Examples", ...lines(ownExamples[name])].join("\n")}\n`;
}

export const ownRows = (): HelpRow[] => [
  ["help [command]", summaries.help],
  [`completion <${shells.join("|")}>`, summaries.completion],
];
