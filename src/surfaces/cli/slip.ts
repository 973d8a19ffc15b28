import { DossierError } from "../../errors.ts";
import { operationNames } from "../../operations/all.ts";
import { closest } from "../../operations/closest.ts";
import { ownCommands } from "./route.ts";

/** Below this length too many words are one slip away from a command: "who" from "why". */
const shortestSlip = 4;

/**
 * Doubts about a question that begins like a command. A lone word one slip away from a command is more likely that
 * command, and refused; with more words it is answered as a question, and the doubt is returned to be shown.
 */
export function doubt(words: string[]): string | undefined {
  const [word = ""] = words;
  if (word.length < shortestSlip) return undefined;
  const guess = closest(word, operationNames, 1);
  if (guess === undefined) return undefined;
  if (words.length === 1) throw unknownCommand(word);
  return `Taken as a question; the command is spelled ${guess}.`;
}

export function unknownCommand(word: string): DossierError {
  const guess = closest(word, [...operationNames, ...ownCommands]);
  const hint = guess ? ` Did you mean ${guess}? To ask about the word itself: dossier context ${word}.` : "";
  return new DossierError("unknown-command", `There is no command ${JSON.stringify(word)}.${hint}`);
}
