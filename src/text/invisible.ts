/**
 * Characters that a person does not see but a model or a terminal reads: zero-width ones, marks that change the
 * direction of writing, tags and variation selectors that spell hidden text. What joins letters and emoji (U+200C,
 * U+200D, U+FE0F) stays.
 */
const invisible =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * A text as it looks: without invisible characters and terminal control characters. Tabs and line feeds stay. Lone
 * surrogates become U+FFFD first, so that two of them cannot combine to a hidden character.
 */
export function visible(text: string): string {
  if (/^[\t\n\x20-\x7e]*$/.test(text)) return text;
  return text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(invisible, "")
    .replace(/\r\n/g, "\n")
    .replace(steering, " ");
}
