/** A command that can be copied into a shell as it stands. A control character, which no terminal could show, becomes a question mark. */
export function commandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ")
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
}
