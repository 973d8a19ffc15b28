/** Number of lines at the start of a document that hold its title and its notice; lines of files come later. */
const openingLines = 3;

/** Whether a document begins with the sentence: its notice is a warning too, for callers who read only data. */
export function opensWith(text: string, sentence: string): boolean {
  const opening = text.split("\n", openingLines).join("\n");
  return opening.includes(sentence) || opening.includes(JSON.stringify(sentence).slice(1, -1));
}
