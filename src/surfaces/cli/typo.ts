import { DossierError } from "../../errors.ts";
import { commands, commandsOf, isNoun, nouns, verbs } from "../../operations/core/commands.ts";
import { commandLine } from "../../operations/terminal/phrases.ts";
import { closest } from "../../text/similarity/closest.ts";
import { ownCommands } from "./route.ts";

/** Below this length too many words are one typo away from a command: "who" from "why". */
const shortestTypo = 4;
/** For a noun followed by a single word that is none of its verbs: "memory lst". */
const shortestVerb = 3;

const verbWords = [...verbs.map(({ words }) => words), ...commands.flatMap(({ shortForm = [] }) => shortForm)];
const firstWords = [...Object.keys(nouns), ...verbWords];

/**
 * Doubts about a question that begins like a command. Words that are one typo away from a command and stand alone are
 * more likely that command, and are refused. With more words they are answered as a question, and the doubt is returned
 * to be shown.
 */
export function typoWarning(words: string[]): string | undefined {
  const command = meantCommand(words);
  if (command === undefined) return undefined;
  if (words.length <= command.split(" ").length) throw unknownCommand(words);
  return `Taken as a question; the command is spelled ${command}.`;
}

/** A noun counts only if one of its verbs follows, or nothing. */
function meantCommand([first = "", second, ...more]: string[]): string | undefined {
  const noun = isNoun(first) ? first : typoOf(first, Object.keys(nouns));
  if (noun !== undefined && second !== undefined) {
    const verbs = verbsOf(noun);
    const shortest = more.length === 0 ? shortestVerb : shortestTypo;
    const verb = verbs.includes(second) ? second : typoOf(second, verbs, shortest);
    if (verb !== undefined) return `${noun} ${verb}`;
  }
  return typoOf(first, second === undefined ? firstWords : verbWords);
}

function verbsOf(noun: string): string[] {
  return commandsOf(noun).map(({ words }) => words.slice(noun.length + 1));
}

function typoOf(word: string, words: string[], shortest = shortestTypo): string | undefined {
  const long = words.filter((each) => each.length >= shortestTypo);
  return word.length < shortest ? undefined : closest(word, long, 1);
}

export function unknownCommand(words: string[]): DossierError {
  const guess = nearestCommand(words);
  const quotedWords = commandLine(words);
  const hint = guess
    ? ` Did you mean ${guess}? To ask about ${words.length > 1 ? "these words" : "the word itself"}: dossier context ${quotedWords}.`
    : "";
  return new DossierError("unknown-command", `There is no command ${JSON.stringify(words.join(" "))}.${hint}`);
}

function nearestCommand([first = "", second]: string[]): string | undefined {
  const noun = isNoun(first) ? first : closest(first, [...firstWords, ...ownCommands]);
  if (noun === undefined || second === undefined || !isNoun(noun)) return noun;
  const verb = closest(second, verbsOf(noun));
  return verb === undefined ? noun : `${noun} ${verb}`;
}
