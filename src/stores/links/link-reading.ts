import type { ImportStatement, Kind, LinkKind } from "../../item.ts";
import { type Binding, type Definition, dotted, type Program } from "../scope/definitions.ts";
import { folderOf, type ModulePaths, type NamedModule, resolveModule } from "../scope/modules.ts";
import { chooseTargets } from "../scope/targets.ts";
import { familyOf, isSelf, isSuper } from "../scope/visibility.ts";
import type { ResolvedLink } from "../store.ts";
import { linkCodes, linkKinds } from "./link-codes.ts";

/** Resolves what links mean. This is the same on every engine; the engine provides the rows. */

export const defaultLinkLimit = 1000;
/** Limit of mentions of one name that are examined to find the users of an item. */
export const mostMentions = 500;
/** Limit of names of a file's items by which an import may mean it. */
export const namesInFile = 200;
/** The SQL condition for kinds that a name in code may mean: a link never means a field. */
export const definitionKinds = {
  definitions: "i.kind NOT IN ('file', 'document', 'config', 'section', 'field', 'block')",
  fields: "i.kind = 'field'",
};

/** A link as it is stored, with the full text in its source: a name, a module or an id. */
export type StoredMention = {
  kind: number;
  /** The number of the last part of the name, or of an item's id. */
  target: number;
  /** The number of the whole name; 0 when it is the target, -1 when the target is an id. */
  whole: number;
  text: string;
};

/** An item whose links are requested. */
export type LinkedItem = {
  id: number;
  key: string;
  name: number;
  parent: string | null;
  file: number;
  path: string;
  qualified: string;
  language: string | null;
  test: number | null;
  /** The file's own item. */
  whole: number | null;
  /** Range of the numbers of the file's items, where the engine numbers them consecutively. */
  first?: number;
  last?: number;
};
export type PlacedMention = StoredMention & Pick<LinkedItem, "file" | "path" | "qualified" | "language" | "test">;
export type MentionOfItem = PlacedMention & { from: string };

/** The look-ups that a reading needs. */
export type LinkRows = {
  /** Ids of the children of an item. */
  children(item: LinkedItem): string[];
  /** The mentions in an item, of every kind. Most names belong to no item and mean nothing: they may be left out. */
  mentionsIn(item: LinkedItem): StoredMention[];
  /** Links that may mean this item: by its id, by its name, and for whole files by the names that imports may use. */
  mentionsOf(item: LinkedItem, kinds: ReadonlySet<LinkKind>): MentionOfItem[];
  /** The id itself if such an item exists. */
  existing(id: string): string[];
  /** Items with this name, in the order in which they were written. */
  definitions(name: string): Definition[];
  /** Fields with this name, in the same order. */
  fields(name: string): Definition[];
  imports(path: string): ImportStatement[];
  /** The supertypes that a type declares, in order, then what it declares about its members (`declares`). */
  bases(id: string): string[];
  /** Ids of the whole-file items at a path. */
  wholeFiles(path: string): string[];
  modules(): ModulePaths;
};

/** Resolved mentions, and the bindings of a file's imports: cached until the next revision. */
export type LinkMeanings = { targets: Map<string, string[]>; bindings: Map<string, Binding[]> };

export class LinkReading {
  readonly #rows: LinkRows;
  readonly #memory: LinkMeanings;

  constructor(rows: LinkRows, memory: LinkMeanings) {
    this.#rows = rows;
    this.#memory = memory;
  }

  from(item: LinkedItem, kinds: ReadonlySet<LinkKind>): ResolvedLink[] {
    const links: ResolvedLink[] = [];
    if (kinds.has("contains")) {
      for (const to of this.#rows.children(item)) links.push({ from: item.key, to, kind: "contains" });
    }
    for (const mention of this.#rows.mentionsIn(item)) {
      const kind = kindOf(mention);
      if (!kinds.has(kind)) continue;
      const { file, path, qualified, language, test } = item;
      for (const to of this.#targets({ ...mention, file, path, qualified, language, test })) {
        links.push({ from: item.key, to, kind, ...textsOf(mention) });
      }
    }
    return links;
  }

  to(item: LinkedItem, kinds: ReadonlySet<LinkKind>): ResolvedLink[] {
    const links: ResolvedLink[] = [];
    if (kinds.has("contains") && item.parent !== null) {
      for (const from of this.#rows.existing(item.parent)) links.push({ from, to: item.key, kind: "contains" });
    }
    for (const mention of this.#rows.mentionsOf(item, kinds)) {
      if (!this.#targets(mention).includes(item.key)) continue;
      links.push({ from: mention.from, to: item.key, kind: kindOf(mention), ...textsOf(mention) });
    }
    return links;
  }

  /** What each of these names means in an item. */
  meanings({ path, qualified, language, test }: LinkedItem, names: readonly string[]): Map<string, string[]> {
    const program: Program = {
      ...this.#program,
      definitions: (name) => [...this.#rows.definitions(name), ...this.#rows.fields(name)],
    };
    const unit = unitName(qualified);
    const place = { kind: "references" as const, path, unit, language: language ?? undefined, test: test === 1 };
    const targets = names.map(
      (text) => [text, chooseTargets({ ...place, text }, program).map(({ id }) => id)] as const,
    );
    return new Map(targets.filter(([, ids]) => ids.length > 0).map(([text, ids]) => [text, ids]));
  }

  /**
   * The meaning of a mention depends on its file and text, and on the unit where that matters: cached, since a file
   * repeats itself.
   */
  #targets(mention: PlacedMention): string[] {
    const { kind, file, target, whole, text } = mention;
    const rule =
      kind === linkCodes.imports ? "i" : kind === linkCodes.tests ? "t" : kind === linkCodes.calls ? "c" : "r";
    const first = text.slice(0, Math.max(0, text.indexOf(".")));
    const family = familyOf(mention.language ?? undefined);
    const isOfUnit = whole === 0 || isSelf(first, family) || isSuper(first, family);
    const unit = whole !== -1 && isOfUnit ? mention.qualified : "";
    const key = `${rule} ${file} ${target} ${whole} ${mention.test} ${unit}`;
    return remember(this.#memory.targets, key, () => this.#resolveMention(mention));
  }

  #resolveMention(mention: PlacedMention): string[] {
    if (mention.whole === -1) return this.#rows.existing(mention.text);
    if (mention.kind === linkCodes.imports) {
      return this.#resolve(mention.text, mention.path).flatMap((path) => this.#rows.wholeFiles(path));
    }
    const { text, path, qualified, language, test } = mention;
    const targets = chooseTargets(
      {
        kind: kindOf(mention),
        text,
        path,
        unit: unitName(qualified),
        language: language ?? undefined,
        test: test === 1,
      },
      this.#program,
    );
    return targets.map(({ id }) => id);
  }

  readonly #program: Program = {
    definitions: (name) => this.#rows.definitions(name),
    imports: (path) => remember(this.#memory.bindings, path, () => this.#bindingsOf(path)),
    files: (module, from) => this.#resolve(module, from),
    bases: ({ id }) => this.#rows.bases(id).filter((text) => !isOfMember(text)),
    members: ({ id }) => this.#rows.bases(id).filter(isOfMember),
  };

  #bindingsOf(path: string): Binding[] {
    return this.#rows.imports(path).map(({ module, names }) => {
      const files = new Map<string | undefined, string[]>();
      const meaning = (name?: string) => this.#resolve(withName(module, name, path), path);
      return { module, names, files: (name) => remember(files, name, () => meaning(name)) };
    });
  }

  #resolve(name: string, from: string): string[] {
    return resolveModule(name, from, this.#rows.modules());
  }
}

/** The kind of a link. Engines return mentions of the kind `declares` only for `bases`. */
function kindOf({ kind }: StoredMention): LinkKind {
  return linkKinds.get(kind) as LinkKind;
}

function textsOf({ whole, text }: StoredMention): Pick<ResolvedLink, "texts"> {
  return whole === -1 ? {} : { texts: [text] };
}

/** See `declares` in extraction.ts. */
function isOfMember(text: string): boolean {
  return text.includes("@");
}

/** The row of a definition. */
export type DefinitionRow = {
  key: string;
  path: string;
  qualified: string;
  kind: Kind;
  inside: Kind | null;
  language: string | null;
  test: number | null;
};

export function definitionOf({ key, path, qualified, kind, inside, language, test }: DefinitionRow): Definition {
  return {
    id: key,
    path,
    qualified: unitName(qualified),
    kind,
    inside: inside ?? undefined,
    language: language ?? undefined,
    test: test === 1,
  };
}

/** Files that declare a module of the workspace, as an SQL list. Names are stored in lower case. */
export const manifestNames = "'go.mod', 'cargo.toml'";

/** The module that a go.mod declares, or the crate of a Cargo.toml and its library, which may have another name. */
export function declaredModule(path: string, text: string): NamedModule[] {
  const isCrate = path.endsWith(".toml");
  const folder = folderOf(path);
  const section = (name: string) => new RegExp(`^\\[${name}\\][^[]*?^name\\s*=\\s*["']([^"'\\n]+)`, "m");
  const patterns = isCrate ? [section("package"), section("lib")] : [/^\s*module\s+"?([^\s"]+)/m];
  const names = patterns.flatMap((pattern) => pattern.exec(text)?.[1] ?? []);
  return names.map((name) => ({ name, folder, language: isCrate ? "rust" : "go" }));
}

/** The qualified name without its path (see `storedQualifiedName`), with dots. */
function unitName(stored: string): string {
  return dotted(stored.slice(1).replace(/^[^:]*::/, ""));
}

/** An imported name may be a module inside the named one, in languages with nested modules. */
function withName(module: string, name: string | undefined, path: string): string {
  if (name === undefined || name === "*") return module;
  if (/\.pyi?$/.test(path)) return module.endsWith(".") ? module + name : `${module}.${name}`;
  return path.endsWith(".rs") ? `${module}::${name}` : module;
}

/** Limit of the cache, which is cleared when full. */
export const mostRemembered = 20_000;

export function remember<Key, Value>(memory: Map<Key, Value>, key: Key, compute: () => Value): Value {
  let value = memory.get(key);
  if (value === undefined) {
    value = compute();
    if (memory.size >= mostRemembered) memory.clear();
    memory.set(key, value);
  }
  return value;
}
