import type { Role } from "../../item.ts";
import {
  byVersion,
  isEnglish,
  isLanguageTag,
  isVersionLabel,
  isVersionName,
  translationFolders,
  versionFolders,
  withoutLanguageSuffix,
} from "./document-names.ts";
import { type Folder, isProseName, share, textsIn } from "./layout.ts";

/** Versions and translations of one set of documents: folders whose file names are mostly the same. */

/**
 * Share of equal file names in folders of one set. It is low, since versions drop and add pages, and translations are
 * rarely complete.
 */
const sameSet = 1 / 3;
const sameBeside = 1 / 2;

/** The subfolders whose texts are older versions or translations of the texts in others, with their role. */
export function copiedDocuments(folder: Folder): Map<Folder, Role> {
  const roles = new Map<Folder, Role>();
  const inner = [...folder.folders.values()].filter(({ counts }) => counts.prose > 0);
  for (const old of olderVersions(folder, inner)) roles.set(old, "old-version");
  for (const translated of translations(folder, inner)) roles.set(translated, "translation");
  return roles;
}

function olderVersions(folder: Folder, inner: Folder[]): Folder[] {
  const numbered = inner.filter(({ name }) => isVersionName(name));
  if (numbered.length === 0) return [];
  const labelled = inner.filter(({ name }) => isVersionLabel(name));
  const versions = [...numbered, ...labelled].sort((a, b) => byVersion(a.name, b.name));
  const isContainer = versionFolders.has(folder.name.toLowerCase());
  // Docusaurus keeps the current version in `docs/`, beside the old ones.
  if (isContainer && folder.parent?.folders.has("docs")) return versions;
  if (isCopyOf(versions, textsIn(folder, new Set(versions)))) return versions;
  const [newest, ...older] = versions;
  const texts = textsIn(newest!);
  return older.filter((version) => isContainer || share(textsIn(version), texts) >= sameSet);
}

function translations(folder: Folder, inner: Folder[]): Folder[] {
  const tagged = inner.filter(({ name }) => isLanguageTag(name));
  if (tagged.length === 0) return [];
  const others = tagged.filter(({ name }) => !isEnglish(name));
  if (translationFolders.has(folder.name.toLowerCase())) return others;
  const beside = textsIn(folder, new Set(tagged));
  if (others.length < tagged.length) {
    const english = tagged.find(({ name }) => isEnglish(name))!;
    const texts = new Set([...textsIn(english), ...beside]);
    return others.filter((other) => share(textsIn(other), texts) >= sameSet);
  }
  const copies = others.filter((other) => isCopyOf([other], beside));
  if (copies.length > 0 || others.length < 2) return copies;
  // Without English documents, the largest set counts as the original.
  const [main, ...rest] = others.sort((a, b) => b.counts.prose - a.counts.prose || (a.name < b.name ? -1 : 1));
  const texts = textsIn(main!);
  return rest.filter((other) => share(textsIn(other), texts) >= sameSet);
}

function isCopyOf(folders: Folder[], texts: ReadonlySet<string>): boolean {
  return texts.size > 0 && folders.some((each) => share(textsIn(each), texts) >= sameBeside);
}

/** `README.zh-CN.md` beside `README.md`. English counts as the original: most users read it. */
export function isTranslatedName(name: string, beside: ReadonlySet<string>): boolean {
  if (!isProseName(name)) return false;
  const without = withoutLanguageSuffix(name);
  if (!without || isEnglish(without.language)) return false;
  const original = without.name.toLowerCase();
  const english = original.replace(/(\.[a-z]+)$/, ".en$1");
  return beside.has(original) || beside.has(english);
}

const changelogName = /^(?:change[-_]?logs?|release[-_]?notes|what'?s[-_]?new)(?:[._-].*)?$/i;
/** Names that features may have too: such a file is a changelog only at the top of the repository or of a package. */
const doubtfulChangelogName = /^(?:changes|history|news|releases)(?:\.(?:md|rst|rdoc|txt|adoc|markdown|html?))?$/i;
const changelogFolders =
  /^(?:change[-_]?logs?(?:\.d)?|changes\.d|\.changes?|\.changeset|newsfragments|news|release[-_]?notes|releasenotes|releases|what'?s[-_]?new)$/i;

/** Maven's changelog: `src/changes/changes.xml`. */
const markedUpChanges = /^changes\.xml$/i;

/** A file that lists changes. */
export function isChangelog(folder: Folder, name: string): boolean {
  if (markedUpChanges.test(name)) return /^changes$/i.test(folder.name);
  if (!isProseName(name)) return false;
  if (changelogName.test(name)) return true;
  if (doubtfulChangelogName.test(name))
    return folder.path === "" || folder.files.some((file) => packageFile.test(file));
  return false;
}

export function isChangelogFolder({ name, files }: Folder): boolean {
  return (
    changelogFolders.test(name) || (/^changes$/i.test(name) && files.filter(isVersionFile).length > files.length / 2)
  );
}

/**
 * Posts of a documentation site: they were true when they were written, but are not updated. A blog without
 * documentation beside it is the product itself, so it does not count.
 */
export function isNewsFolder({ name, parent }: Folder, inDocuments: boolean): boolean {
  return newsFolders.test(name) && (inDocuments || parent?.folders.has("docs") === true);
}

const newsFolders = /^(?:_posts|blogs?|announce(?:ments?)?)$/i;

/** `3.2.rst` */
function isVersionFile(name: string): boolean {
  return isVersionName(name.replace(/\.[a-z]+$/i, ""));
}

const packageFile =
  /^(?:package\.json|setup\.py|pyproject\.toml|Cargo\.toml|pom\.xml|composer\.json|go\.mod|.*\.gemspec)$/;
