/** Colours of languages by how much there is of them: the largest have one of their own. */
const colours = ["code", "file", "note", "document", "experience", "message", "reference", "memory", "value"] as const;

export type ColourOf = (language: string | undefined) => string;

export function languageColours(languages: readonly { language: string }[]): ColourOf {
  const largest = languages.filter(({ language }) => language !== "").slice(0, colours.length);
  const byName = new Map(largest.map(({ language }, place) => [language, `source-${colours[place]!}`]));
  return (language) => byName.get(language ?? "") ?? "source-commit";
}
