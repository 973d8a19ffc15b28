import {
  type Definition,
  dotted,
  importedExtensions,
  inside,
  isTopLevel,
  isType,
  mayMean,
  membersOf,
  type NameMention,
  onlyDefinition,
  ownerOf,
  type Program,
  sameFolder,
  seesModuleOf,
  singleThing,
} from "./definitions.ts";
import { membersThrough } from "./implementations.ts";
import { lastPart } from "./modules.ts";
import {
  declaredTypes,
  isOfLibrary,
  type ScopeView,
  typeAround,
  typesOfFields,
  typesOfValue,
  withSupertypes,
} from "./receiver-types.ts";
import {
  type Family,
  familyOf,
  hasImplicitReceiver,
  importsEverything,
  isCompound,
  isDistinctive,
  isSelf,
  isSuper,
  mayCall,
  needsImports,
  sharesPackage,
} from "./visibility.ts";

const deepestImport = 4;

/** Resolves one mention, rule by rule; see `chooseTargets`. */
export class Resolver {
  readonly #mention: NameMention;
  readonly #program: Program;
  readonly #family: Family;
  readonly #parts: string[];
  /** The fields between a type and the name: `:Server#broker.Dequeue` is called on a field of Server. */
  readonly #fields: string[];
  /** A declaration shows that the receiver is a type. */
  readonly #typed: boolean;
  /** Ids of the types whose supertypes are being resolved: a type's own supertypes say nothing about themselves. */
  readonly #derived: ReadonlySet<string>;
  /** Cache, because several rules look up the same names. */
  readonly #visibleByName = new Map<string, Definition[]>();
  readonly #view: ScopeView;

  constructor(mention: NameMention, program: Program, derived: ReadonlySet<string> = new Set()) {
    this.#mention = mention;
    this.#program = program;
    this.#derived = derived;
    this.#family = familyOf(mention.language);
    this.#view = {
      mention,
      program,
      family: this.#family,
      visible: (name) => this.#visible(name),
      plain: (name) => this.#plain(name, 1),
      members: (types, name) => this.#members(types, name),
      basesOf: (type) => this.#basesOf(type),
      resolve: (other, within) => new Resolver(other, within, this.#derived).resolve(),
    };
    this.#typed = mention.text.startsWith(":");
    const name = lastPart(mention.text);
    const isPath = mention.text.includes("/");
    const before = isPath ? "" : mention.text.slice(this.#typed ? 1 : 0, mention.text.length - name.length);
    const [receiver = "", ...fields] = this.#typed ? before.split("#") : [before];
    this.#fields = fields.map((field) => field.replace(/\.$/, ""));
    this.#parts = [...dotted(receiver.replace("()", "")).split(".").filter(Boolean), name];
  }

  resolve(): Definition[] {
    const name = this.#parts.at(-1)!;
    if (this.#visible(name).length === 0) return [];
    if (this.#parts.length === 1) return this.#plain(name);
    if (this.#typed) return this.#ofType(name);
    if (this.#parts[0]!.startsWith("=")) return this.#aliased(this.#parts[0]!.slice(1), this.#parts.slice(1));
    return this.#member(name);
  }

  /**
   * For tests named after a definition, such as `test_charge`: any definition of this name in files that the test
   * imports or that are in its folder.
   */
  namesake(): Definition[] {
    const candidates = this.#visible(this.#parts.at(-1)!).filter(({ test }) => !test);
    const imported = new Set(this.#program.imports(this.#mention.path).flatMap(({ files }) => [...files()]));
    const nearby = candidates.filter(
      ({ path }) => imported.has(path) || (sharesPackage(this.#family) && sameFolder(path, this.#mention.path)),
    );
    return singleThing(nearby.length > 0 ? nearby : candidates);
  }

  /** Definitions that this text may mean. Tests are excluded for product code, which does not call them. */
  #visible(name: string): readonly Definition[] {
    let visible = this.#visibleByName.get(name);
    if (!visible) {
      const { path, language, test } = this.#mention;
      visible = this.#program
        .definitions(name)
        .filter((each) => each.path === path || ((test || !each.test) && mayCall(language, each.language)));
      this.#visibleByName.set(name, visible);
    }
    return visible;
  }

  /** `=Bank.Gateway`: a definition that is imported under another name, or a member of it. */
  #aliased(alias: string, [original, ...rest]: string[]): Definition[] {
    const bindings = this.#program.imports(this.#mention.path).filter(({ names }) => names.includes(alias));
    const files = bindings.flatMap((binding) => [...binding.files(original)]);
    const originals = this.#exported(files, original!);
    const name = rest.at(-1);
    if (name === undefined) return originals;
    const members = this.#members(originals, name);
    return members.length > 0 || originals.length > 0 ? members : this.#exported(files, name);
  }

  /** A name without a receiver. */
  #plain(name: string, depth = 0): Definition[] {
    const candidates = this.#visible(name);
    const inSameFile = this.#inFile(candidates, name);
    if (inSameFile.length > 0) return inSameFile;
    if (hasImplicitReceiver(this.#family) && this.#mention.kind === "calls" && depth === 0) {
      const inherited = this.#ownMembers(name, true) ?? [];
      if (inherited.length > 0) return inherited;
    }
    const bindings = this.#program.imports(this.#mention.path);
    const importing = bindings.filter(({ names }) => names.includes(name));
    for (const { files } of importing) {
      const exported = this.#exported(files(name), name);
      if (exported.length > 0) return exported;
    }
    if (candidates.length === 0) return [];
    if (importing.length > 0 && importing.every(({ files }) => files().length === 0))
      return singleThing(
        candidates.filter((each) => isTopLevel(each) && importing.some((binding) => mayMean(binding, each))),
      );
    const everything = bindings.filter(({ names }) => importsEverything(this.#family, names));
    const fromAll = singleThing(
      everything.flatMap(({ files }) =>
        this.#exported(files(), name).filter((each) => seesModuleOf(each, this.#mention.unit)),
      ),
    );
    if (fromAll.length > 0) return fromAll;
    if (sharesPackage(this.#family)) {
      const beside = candidates.filter((each) => isTopLevel(each) && sameFolder(each.path, this.#mention.path));
      if (beside.length > 0) return beside;
    }
    const loose = candidates.filter((each) => isTopLevel(each) || this.#family === "ruby");
    const trusted = importing.length > 0 || !needsImports(this.#family) || isCompound(name);
    return trusted ? onlyDefinition(loose) : [];
  }

  /** Names visible from the unit: its own inner ones first, then those of the enclosing units, up to the file. */
  #inFile(candidates: readonly Definition[], name: string): Definition[] {
    const { path, unit } = this.#mention;
    const inFile = candidates.filter((each) => each.path === path);
    if (inFile.length === 0) return [];
    const methods = hasImplicitReceiver(this.#family);
    for (let owner = unit; ; owner = ownerOf(owner)) {
      const qualifiedName = owner === "" ? name : `${owner}.${name}`;
      const visible = inFile.filter(
        ({ qualified, kind }) => qualified === qualifiedName && (methods || kind !== "method"),
      );
      if (visible.length > 0 || owner === "") {
        return visible.length > 0 ? visible : inFile.filter((each) => isTopLevel(each) && each.inside === "module");
      }
    }
  }

  /** Members of the enclosing class, or of its supertypes; undefined outside any class. */
  #ownMembers(name: string, inheritedOnly = false): Definition[] | undefined {
    let inClass = false;
    for (let owner = this.#mention.unit; owner !== ""; owner = ownerOf(owner)) {
      const isUnit = owner === this.#mention.unit;
      const around = this.#program
        .definitions(lastPart(owner))
        .filter((each) => each.qualified === owner && each.path === this.#mention.path);
      // JavaScript's `function View() {}` is a class when members are defined on it.
      const types = around.filter((each) => isType(each) || (this.#family === "script" && each.kind === "function"));
      if (types.some(isType) || (around.length === 0 && !isUnit)) inClass = true;
      const members = types.length > 0 ? this.#members(types, name, inheritedOnly) : [];
      if (members.length > 0) return members;
      const owned = around.length === 0 && !isUnit && !inheritedOnly ? this.#ownedBy(owner, name) : [];
      if (owned.length > 0) return owned;
    }
    return inClass ? [] : undefined;
  }

  /** `app.handle = function () { this.set() }`: the owner is not a unit itself. Go's types may be in another file. */
  #ownedBy(owner: string, name: string): Definition[] {
    const qualifiedName = `${owner}.${name}`;
    const candidates = this.#visible(name).filter(({ qualified }) => qualified === qualifiedName);
    const inSameFile = candidates.filter(({ path }) => path === this.#mention.path);
    return inSameFile.length > 0 ? inSameFile : candidates.filter(({ path }) => sameFolder(path, this.#mention.path));
  }

  /** A member of the receiver's declared type, or of the type of its fields. */
  #ofType(name: string): Definition[] {
    const receiver = this.#parts.slice(0, -1);
    const isPlain = receiver.length === 1 && !receiver[0]!.startsWith("=");
    const meant = isPlain ? this.#plain(receiver[0]!, 1) : this.#qualifiedType(receiver);
    const owners = meant.flatMap((each) => typesOfValue(each, this.#view));
    if (owners.length === 0 && this.#mention.text.includes("()"))
      return isOfLibrary(receiver[0]!, this.#view) ? [] : this.#onUnknown(name);
    const members = this.#ofFields(owners, this.#fields, name);
    if (members.length > 0 || owners.length > 0 || receiver.length > 1 || this.#fields.length > 0) return members;
    return onlyDefinition(this.#endingIn(`${receiver[0]}.${name}`, name));
  }

  #ofFields(owners: readonly Definition[], fields: readonly string[], name: string): Definition[] {
    const types = typesOfFields(owners, fields, this.#view);
    const members = types ? membersThrough(types, name, this.#view) : this.#onUnknown(name);
    return members.length > 0 ? members : this.#extensions(name);
  }

  /** C#: a method of a static class may extend another type; such classes are named `...Extensions`. */
  #extensions(name: string): Definition[] {
    if (this.#family !== "csharp" || !isCompound(name)) return [];
    return onlyDefinition(this.#visible(name).filter(({ qualified }) => /Exten[st]ions?$/.test(ownerOf(qualified))));
  }

  #endingIn(path: string, name: string): Definition[] {
    return this.#visible(name).filter(({ qualified }) => `.${qualified}`.endsWith(`.${path}`));
  }

  #member(name: string): Definition[] {
    const receiver = this.#parts.slice(0, -1);
    const [root, owner] = [receiver[0]!, receiver.at(-1)!];
    if (isSelf(root, this.#family)) {
      if (receiver.length === 1) return this.#ownMembers(name) ?? this.#onUnknown(name);
      const around = typeAround(this.#view);
      if (around.length > 0) return this.#ofFields(around, receiver.slice(1), name);
    }
    if (receiver.length === 1 && isSuper(root, this.#family)) return this.#ownMembers(name, true) ?? [];
    if (root !== "?") {
      const imported = this.#ofImported(root, receiver, name);
      if (imported) return imported;
    }
    if (this.#family === "rust") {
      const files = this.#program.files(receiver.join("::"), this.#mention.path);
      const exported = this.#exported(files, name);
      if (exported.length > 0) return exported;
    }
    if (owner !== "?") {
      const types = this.#plain(owner, 1);
      const members = this.#members(
        types.filter((each) => each.kind !== "method"),
        name,
      );
      if (members.length > 0) return members;
      const matches = this.#endingIn(`${owner}.${name}`, name);
      if (types.length === 0 && matches.length > 0) return onlyDefinition(matches);
    }
    const extension = importedExtensions(this.#visible(name), name, this.#view);
    if (extension.length > 0) return extension;
    return /^\p{Lu}/u.test(root) ? [] : this.#onUnknown(name);
  }

  /** Undefined when the first part of the receiver is not imported. */
  #ofImported(root: string, receiver: string[], name: string): Definition[] | undefined {
    const bindings = this.#program.imports(this.#mention.path).filter(({ names }) => names.includes(root));
    if (bindings.length === 0 || this.#isLocal(root)) return undefined;
    const files = bindings.flatMap((binding) => [...binding.files(root)]);
    if (files.length === 0) return [];
    if (receiver.length === 1) {
      const exported = this.#exported(files, name);
      if (exported.length > 0) return exported;
    }
    const types = this.#exported(files, receiver.at(-1)!);
    const members = this.#members(types, name);
    if (members.length > 0) return members;
    if (receiver.length > 1) {
      const inner = this.#exported(files, name);
      if (inner.length > 0) return inner;
    }
    // An instance created in that file, or its default export under another name: its members are there.
    const inFiles = singleThing(this.#visible(name).filter((each) => inside(each, files, this.#family)));
    if (inFiles.length > 0 && types.filter(isType).length === 0) return inFiles;
    return /^\p{Lu}/u.test(root) || this.#family === "go" ? [] : this.#onUnknown(name);
  }

  /** True when the file defines the name of an import, or shadows it. */
  #isLocal(root: string): boolean {
    return this.#inFile(this.#visible(root), root).length > 0;
  }

  /** A type with its container: `shop.Basket`. */
  #qualifiedType(receiver: string[]): Definition[] {
    const mention: NameMention = { ...this.#mention, kind: "references", text: receiver.join(".") };
    return new Resolver(mention, this.#program, this.#derived).resolve();
  }

  /** Top-level definitions of these files, or of files that they re-export. */
  #exported(files: readonly string[], name: string, depth = 0): Definition[] {
    if (files.length === 0) return [];
    const exported = this.#visible(name).filter((each) => isTopLevel(each) && inside(each, files, this.#family));
    if (exported.length > 0 || depth === deepestImport) return exported;
    for (const file of files) {
      for (const binding of this.#program.imports(file)) {
        const handsOn = binding.names.includes(name) || binding.names.includes("*") || binding.names.length === 0;
        if (!handsOn) continue;
        const further = this.#exported(binding.files(name), name, depth + 1);
        if (further.length > 0) return further;
      }
    }
    return [];
  }

  /** Members of these types, else of their supertypes. */
  #members(types: readonly Definition[], name: string, inheritedOnly = false): Definition[] {
    const candidates = this.#visible(name);
    for (const level of withSupertypes(types, this.#view)) {
      if (level === types && inheritedOnly) continue;
      const members = level.flatMap((type) => membersOf(type, candidates, name));
      if (members.length > 0) return [...new Set(members)];
    }
    return [];
  }

  #basesOf(type: Definition): Definition[] {
    if (this.#derived.has(type.id)) return [];
    const derived = new Set([...this.#derived, type.id]);
    const bases = this.#program.bases(type).flatMap((text) => {
      const mention: NameMention = { ...this.#mention, ...type, kind: "extends", text, unit: ownerOf(type.qualified) };
      return new Resolver(mention, this.#program, derived).resolve().filter(({ id }) => id !== type.id);
    });
    const original = type.kind === "type" ? declaredTypes(type, "", this.#view).flatMap((each) => each()) : [];
    return [...bases, ...original.filter(({ id }) => id !== type.id)];
  }

  /** A call on a receiver of unknown type: only a name that is unique and not a built-in method's. */
  #onUnknown(name: string): Definition[] {
    if (!isDistinctive(name, this.#family)) return [];
    return onlyDefinition(this.#visible(name).filter((each) => !isTopLevel(each) && each.inside !== "function"));
  }
}
