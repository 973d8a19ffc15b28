/**
 * Whether JSON is nested deeper than `most`. It is looked at before parsing, letter by letter: what walks the parsed
 * value later may walk it recursively.
 */
export function nestedDeeper(text: string, most: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if (inString) {
      if (letter === 92) at++;
      else if (letter === 34) inString = false;
    } else if (letter === 34) inString = true;
    else if (letter === 91 || letter === 123) {
      if (++depth > most) return true;
    } else if (letter === 93 || letter === 125) depth--;
  }
  return false;
}
