/**
 * A message as one sentence: those of the system and of git may span lines and lack a full stop, and control characters
 * would steer a terminal.
 */
export function asSentence(message: string): string {
  // Blanks are kept as they are: they may be part of a path that is quoted.
  const text = message.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
