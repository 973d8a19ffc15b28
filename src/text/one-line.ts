/** A text without line breaks, control characters and runs of blanks. */
export function oneLine(text: string): string {
  // Most names need no change, and a test is cheaper than a replacement.
  return /[^\S ]| {2}|[\u0000-\u001f\u007f]/.test(text)
    ? text.replace(/[\s\u0000-\u001f\u007f]+/g, " ").trim()
    : text.trim();
}
