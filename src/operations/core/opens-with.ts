/**
 * Number of lines at the start of a document that hold its title, its facts and its notices, with the empty ones
 * between.
 */
const openingLines = 7;

/** Whether a document begins with the sentence: its notice is a warning too, for callers who read only data. */
export function opensWith(text: string, sentence: string): boolean {
  const opening = text.split("\n", openingLines).join("\n");
  return opening.includes(sentence) || opening.includes(JSON.stringify(sentence).slice(1, -1));
}
