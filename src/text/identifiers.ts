// The classes of all scripts are five times as slow as those of ASCII, which is nearly all code.
const anyScript = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const plain = /[A-Za-z_$][\w$]*/g;
const onlyAscii = /^[\x00-\x7f]*$/;

/** Everything in a text that could be a name in code, each once, in order. */
export function identifiersIn(text: string): Set<string> {
  return new Set(text.match(onlyAscii.test(text) ? plain : anyScript) ?? []);
}
