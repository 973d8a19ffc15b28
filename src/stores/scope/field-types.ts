/** `val parser: Parser`, `parser?: Parser`; and `Parser parser` in languages that have the type first. */
const patterns = (name: string) => [
  new RegExp(`(?<![\\p{L}\\p{N}_$])${name}[?!]?\\s*:\\s*(?:readonly\\s+)?(${typeName})`, "u"),
  new RegExp(`(?<![\\p{L}\\p{N}_$])${name}\\s*=\\s*(?:new\\s+)?(\\p{Lu}[\\p{L}\\p{N}_.]*)\\s*[({<]`, "u"),
  new RegExp(`(${typeName})(?:<[^=;]{0,200}>)?[?*&\\s]\\s*[*&$]*${name}(?![\\p{L}\\p{N}_$])`, "u"),
];
const typeName = String.raw`[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*`;
const goField = (name: string) => new RegExp(`(?<![\\p{L}\\p{N}_])${name}\\s+\\*?(${typeName})`, "u");

/** The type that a declaration gives a field, as written: of the field itself, or of a class whose header declares it. */
export function fieldType(signature: string, name: string, language: string | undefined): string | undefined {
  const field = name.replace(/[^\p{L}\p{N}_]/gu, "");
  // Go embeds a type under its own name.
  if (language === "go" && /^\s*\*?[\p{L}\p{N}_.]+\s*$/u.test(signature)) return signature.replace(/[\s*]/g, "");
  for (const pattern of language === "go" ? [goField(field)] : patterns(field)) {
    const type = pattern.exec(signature)?.[1];
    if (type !== undefined) return type;
  }
  return undefined;
}
