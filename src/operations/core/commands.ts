import { commandTable, shortForms } from "./command-table.ts";
import type { CommandGroup } from "./operation.ts";
import type { OperationName } from "./registry.ts";

/** A command of the command line: which operation it is, and which step of it. Found without loading any operation. */
export type CommandEntry = {
  /** `search`, `memory add`. */
  words: string;
  operation: OperationName;
  step?: string;
  /** One word that stands for them. */
  shortForm?: string;
  group: CommandGroup;
};

export const commands: readonly CommandEntry[] = commandTable.map(([words, group, operation, step]) => {
  const shortForm = Object.keys(shortForms).find((short) => shortForms[short] === words);
  return {
    words,
    group,
    operation,
    ...(step !== undefined && { step }),
    ...(shortForm !== undefined && { shortForm }),
  };
});

/**
 * First words of two-word commands. `alone` is the command that the noun by itself stands for; without it help is
 * shown.
 */
export const nouns: Readonly<Record<string, { summary: string; alone?: string }>> = {
  memory: { summary: "Facts, preferences and decisions that are kept", alone: "memory list" },
  experience: { summary: "What is tried, and what comes of it", alone: "experience active" },
  value: { summary: "Principles that experiences lead to", alone: "value list" },
  doc: { summary: "Texts that are kept under a path", alone: "doc list" },
  thread: { summary: "Conversations, and what belongs to them", alone: "thread list" },
  notes: { summary: "Notes of Tana, Obsidian or Logseq", alone: "notes list" },
  lens: { summary: "Ways to look at notes", alone: "lens list" },
  item: { summary: "What citations lead to" },
  model: { summary: "The language model that makes vectors", alone: "model status" },
  engine: { summary: "The process that answers for the others of a workspace", alone: "engine status" },
  workspace: { summary: "Names of folders, for --workspace", alone: "workspace list" },
  store: { summary: "Where memories and library are kept: SQLite or PostgreSQL", alone: "store verify" },
  key: { summary: "Keys of applications, for dossier serve", alone: "key list" },
};

export function isNoun(word: string): boolean {
  return Object.hasOwn(nouns, word);
}

export function commandsOf(noun: string): CommandEntry[] {
  return commands.filter(({ words }) => words.startsWith(`${noun} `));
}

/** The commands of one word. */
export const verbs: readonly CommandEntry[] = commands.filter(({ words }) => !words.includes(" "));

/** A command line's first words, understood; `used` of them name the command, the others belong to it. */
export type Called = Pick<CommandEntry, "operation" | "step"> & { words: string; used: number };

/**
 * The command that words begin with. A noun counts when a verb of it follows, or nothing: "memory leaks in the parser"
 * is no command. Names that operations have elsewhere are understood, too, as `put_document` and `thread create`.
 */
export function commandCalled([first = "", second]: readonly string[]): Called | undefined {
  const ofOperation = commands.filter(({ operation }) => operation === first);
  const entry =
    second === undefined
      ? undefined
      : (commands.find(({ words }) => words === `${first} ${second}`) ??
        ofOperation.find(({ step }) => step === second));
  if (entry) return calledBy(entry, 2);
  // A command's two words in quotes are one word, and so a question.
  if (first.includes(" ")) return undefined;
  const word = commands.find(({ words, shortForm }) => words === first || shortForm === first);
  if (word) return calledBy(word, 1);
  if (second === undefined && isNoun(first)) {
    const alone = commands.find(({ words }) => words === nouns[first]!.alone);
    return alone && calledBy(alone, 1);
  }
  const [only] = ofOperation;
  if (!only) return undefined;
  if (only.step === undefined) return calledBy(only, 1);
  return isNoun(first) ? undefined : { operation: only.operation, words: first, used: 1 };
}

function calledBy({ words, operation, step }: CommandEntry, used: number): Called {
  return { words, operation, ...(step !== undefined && { step }), used };
}
