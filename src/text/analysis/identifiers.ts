// The classes of all scripts are five times as slow as those of ASCII, which is nearly all code.
const anyScript = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const plain = /[A-Za-z_$][\w$]*/g;
const onlyAscii = /^[\x00-\x7f]*$/;

/** Everything in a text that could be a name in code, each once, in order. */
export function identifiersIn(text: string): Set<string> {
  return new Set(text.match(onlyAscii.test(text) ? plain : anyScript) ?? []);
}

const isName = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const wordCharacter = /[\w$]/;
const nameCharacter = /[A-Za-z_$]/;
const digit = /\d/;

/**
 * Whether a text has this name, as `identifiersIn` would find it: for few names, a fraction of the work of finding all.
 */
export function hasIdentifier(text: string, name: string): boolean {
  if (!isName.test(name)) return false;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const start = text.lastIndexOf("\n", at) + 1;
    const end = text.indexOf("\n", at);
    if (isIdentifierAt(text, start, end === -1 ? text.length : end, at, name)) return true;
  }
  return false;
}

/** The numbers of the lines, from 0, that have this name. `text` is the lines joined. */
export function linesWithIdentifier(lines: readonly string[], text: string, name: string): number[] {
  const matching: number[] = [];
  if (!isName.test(name)) return matching;
  let line = 0;
  let start = 0;
  for (let at = text.indexOf(name); at !== -1; ) {
    while (start + lines[line]!.length < at) start += lines[line++]!.length + 1;
    const end = start + lines[line]!.length;
    const has = isIdentifierAt(text, start, end, at, name);
    if (has) matching.push(line);
    at = text.indexOf(name, has ? end : at + 1);
  }
  return matching;
}

/** Whether the name at this place of a line is a whole identifier, and not a part of one. */
function isIdentifierAt(text: string, start: number, end: number, at: number, name: string): boolean {
  // Most places are inside other names, which the neighbouring characters show.
  if (wordCharacter.test(text[at + name.length] ?? "") || nameCharacter.test(text[at - 1] ?? "")) return false;
  const line = text.slice(start, end);
  if (!onlyAscii.test(line)) return identifiersIn(line).has(name);
  let first = at;
  while (first > start && wordCharacter.test(text[first - 1]!)) first--;
  // Digits begin no name: of `0xff`, the name is `xff`.
  while (digit.test(text[first]!)) first++;
  return first === at;
}
