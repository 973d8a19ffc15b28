/** Names of versions and languages in the paths of documents. */

const versionName =
  /^(?:(?:versions?|release)[-_.]?v?\d+|v\d+|\d+[._](?:\d+|x))(?:[._](?:\d+|x))*(?:[-._]?(?:alpha|beta|rc|next|lts)[.-]?\d*)?$/i;
/** Best first: these labels mean the newest version, whatever numbers exist. */
const versionLabels = ["current", "latest", "stable", "next", "main", "master", "dev"];

export function isVersionName(name: string): boolean {
  return versionName.test(name);
}

export function isVersionLabel(name: string): boolean {
  return versionLabels.includes(name.toLowerCase());
}

/** Newest first. */
export function byVersion(a: string, b: string): number {
  const [labelA, labelB] = [a, b].map((name) => versionLabels.indexOf(name.toLowerCase()));
  if (labelA! >= 0 || labelB! >= 0) {
    if (labelA! < 0 || labelB! < 0) return labelA! < 0 ? 1 : -1;
    return labelA! - labelB!;
  }
  const [numbersA, numbersB] = [numbersOf(a), numbersOf(b)];
  for (let i = 0; i < Math.max(numbersA.length, numbersB.length); i++) {
    const difference = (numbersB[i] ?? 0) - (numbersA[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : 1;
}

/** `x` means any: 10.x is newer than 10.4. */
function numbersOf(name: string): number[] {
  return (name.match(/\d+|(?<=[._])x/gi) ?? []).map((part) => (part.toLowerCase() === "x" ? 1e6 : Number(part)));
}

/** "in version 10" asks for `version-10.x/`. */
export function namesVersion(text: string, path: string): boolean {
  const version = path.split("/").find(isVersionName);
  const number = version && /\d+(?:\.\d+)*/.exec(version)?.[0];
  return number !== undefined && new RegExp(`(?:^|[^\\d.])${number.replaceAll(".", "\\.")}(?![\\d])`).test(text);
}

/**
 * ISO 639-1 codes of languages that documents are translated to, and country codes that some projects write instead
 * (cn, jp, kr, tw, ua).
 */
const languageCodes = new Set(
  "ar az be bg bn bs ca cn cs da de el en eo es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja jp ka kk kn ko kr lt lv mk ml mn mr ms my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr tw ua uk ur uz vi zh".split(
    " ",
  ),
);
const regions = /^(?:[a-z]{2}|hans|hant|latn|cyrl|419)$/;
/**
 * Three letters may also be an ordinary folder name (`api`, `cmd`), so a language code of three letters needs a region
 * in capitals.
 */
const longCodeWithRegion = /^[a-z]{3}[-_][A-Z]{2}$/;

/** `de`, `pt-BR`, `zh_Hans`, `zh-hant-tw`, `ckb-IR`. */
export function isLanguageTag(name: string): boolean {
  if (longCodeWithRegion.test(name)) return true;
  const [code, ...rest] = name.toLowerCase().split(/[-_]/);
  return languageCodes.has(code!) && rest.length <= 2 && rest.every((part) => regions.test(part));
}

export function isEnglish(tag: string): boolean {
  return /^en(?:[-_]|$)/i.test(tag);
}

const suffixed = /^(.+?)[._-]([a-z]{2,3}(?:[-_][a-z]{2,4})?)(\.[a-z]+)$/i;

/** `README.zh-CN.md` -> README.md and zh-CN. */
export function withoutLanguageSuffix(name: string): { name: string; language: string } | undefined {
  const match = suffixed.exec(name);
  return match && isLanguageTag(match[2]!) ? { name: match[1]! + match[3]!, language: match[2]! } : undefined;
}

/** Folders of translations, and other names that group documents of one kind. */
export const translationFolders = new Set(
  "i18n l10n locale locales translation translations translated_docs lang".split(" "),
);
export const versionFolders = new Set(["versioned_docs", "versions", "versioned_sidebars", "archived_versions"]);
const placeholders = new Set([
  ...translationFolders,
  ...versionFolders,
  ...versionLabels,
  "docusaurus-plugin-content-docs",
  "website",
  "docs",
  "doc",
]);

/** Equal for a document, its older versions and its translations. */
export function documentKey(path: string): string {
  const segments = path.split("/");
  const name = segments.pop()!.toLowerCase();
  const stable = segments.filter((segment) => !isLanguageTag(segment)).map((segment) => segment.toLowerCase());
  const kept = stable.filter((segment) => !placeholders.has(segment) && !isVersionName(segment));
  return [...kept, withoutLanguageSuffix(name)?.name ?? name].join("/");
}
