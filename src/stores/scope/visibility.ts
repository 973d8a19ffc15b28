/** Visibility rules of the languages, as far as resolving links needs them. */

export type Family =
  | "script"
  | "python"
  | "go"
  | "rust"
  | "jvm"
  | "c"
  | "csharp"
  | "ruby"
  | "php"
  | "swift"
  | "dart"
  | "other";

const families: Record<string, Family> = {
  javascript: "script",
  jsx: "script",
  typescript: "script",
  tsx: "script",
  vue: "script",
  svelte: "script",
  coffeescript: "script",
  python: "python",
  starlark: "python",
  go: "go",
  rust: "rust",
  java: "jvm",
  kotlin: "jvm",
  scala: "jvm",
  groovy: "jvm",
  c: "c",
  cpp: "c",
  objectivec: "c",
  csharp: "csharp",
  ruby: "ruby",
  crystal: "ruby",
  php: "php",
  swift: "swift",
  dart: "dart",
};

export function familyOf(language: string | undefined): Family {
  return (language !== undefined && Object.hasOwn(families, language) && families[language]) || "other";
}

/** True for languages whose code can call each other by name. */
export function mayCall(from: string | undefined, to: string | undefined): boolean {
  if (from === undefined || to === undefined || from === to) return true;
  const family = familyOf(from);
  return family !== "other" && family === familyOf(to);
}

/** A name that is not defined in the file must be imported; otherwise it is a variable or built in. */
export function needsImports(family: Family): boolean {
  return family === "script" || family === "python" || family === "go" || family === "rust";
}

/** `pay()` inside a class may mean `this.pay()`. */
export function hasImplicitReceiver(family: Family): boolean {
  return ["jvm", "c", "csharp", "ruby", "swift", "dart", "other"].includes(family);
}

/** Files of one folder see each other's names without an import. */
export function sharesPackage(family: Family): boolean {
  return family === "go" || family === "jvm" || family === "csharp" || family === "php" || family === "swift";
}

/** Members of a type may be in other files than the type. */
export function hasOpenTypes(family: Family): boolean {
  return ["rust", "c", "csharp", "ruby", "swift"].includes(family);
}

/** An import makes every name of its module visible, unless it lists some. */
export function importsEverything(family: Family, names: readonly string[]): boolean {
  if (names.includes("*") || family === "csharp" || family === "swift") return true;
  return names.length === 0 && !needsImports(family);
}

/**
 * Names of the receiver itself, by language. In other languages they are ordinary names: Go has packages called
 * `base`, Java variables called `parent` or `cls`.
 */
const selfNames: Record<Family, readonly string[]> = {
  script: ["this", "self", "@"],
  python: ["self", "cls"],
  go: [],
  rust: ["self", "Self"],
  jvm: ["this"],
  c: ["this", "self"],
  csharp: ["this"],
  ruby: ["self", "@"],
  php: ["this", "$this", "self", "static"],
  swift: ["self", "Self"],
  dart: ["this"],
  other: ["this", "self", "Self"],
};

/** The word for the parent class. Go and Rust have none; in Rust, `super` is the enclosing module. */
const superNames: Partial<Record<Family, string>> = { csharp: "base", php: "parent", go: "", rust: "" };

export function isSelf(receiver: string, family: Family): boolean {
  return selfNames[family].includes(receiver);
}

export function isSuper(receiver: string, family: Family): boolean {
  return receiver !== "" && receiver === superWord(family);
}

/** The word for the parent class; "" if the language has none. */
export function superWord(family: Family): string {
  return superNames[family] ?? "super";
}

const words = (text: string) => new Set(text.split(" "));

/**
 * Methods of built-in types: on a receiver of unknown type, such a name more often means the built-in method than one
 * of the program.
 */
const builtinMembers: Record<Family | "all", Set<string>> = {
  all: words(
    "append apply clear clone close contains count equals extend filter find first flush format index indexOf insert isEmpty items iterator join length lower match print println remove replace reverse search shift slice sleep sorted split start startsWith strip submit toString trace update upper value values write",
  ),
  script: words(
    "addEventListener assign charAt concat create endsWith entries every exec fill finally findIndex flatMap forEach freeze fromEntries getItem hasOwnProperty includes lastIndexOf parse reduce removeEventListener resolve reject setItem setTimeout splice stringify substr substring toFixed toLowerCase toUpperCase trimEnd trimStart unshift querySelector error status pipe connect listen emit",
  ),
  python: words(
    "capitalize copy decode encode endswith fromkeys isdigit isinstance lstrip popitem readline readlines rstrip setdefault splitlines startswith title translate writelines group groups match error debug warning exception read_text write_text exists mkdir resolve",
  ),
  go: words(
    "Error String Close Write Header Unlock RLock RUnlock Format Fatal Fatalf Errorf Printf Println Equal Marshal Unmarshal Scan Query",
  ),
  rust: words(
    "as_ref as_str as_mut borrow borrow_mut chain clone cloned collect copied default deref drain enumerate expect extend from_str into_iter is_empty is_none is_some iter_mut map_err ok_or ok_or_else or_else push_str to_owned to_string to_vec unwrap unwrap_or unwrap_or_else unwrap_or_default write_str",
  ),
  jvm: words(
    "addAll append charAt collect compareTo containsKey entrySet equals forEach getClass getKey getName getValue hashCode hasNext intValue isPresent keySet length orElse putAll stream substring toArray toList valueOf println getMessage getOrDefault",
  ),
  c: words(
    "begin c_str clear emplace emplace_back empty erase insert length pop_back push_back reserve reset resize substr swap",
  ),
  csharp: words(
    "Add AddRange Any Contains ContainsKey Count Dispose Equals First FirstOrDefault GetHashCode GetType Invoke Select Single ToArray ToList ToString TryGetValue Where OrderBy",
  ),
  ruby: words(
    "collect compact delete detect each_with_index each_with_object empty? flatten freeze gsub include? inject instance_of? is_a? key? merge merge! nil? present? blank? reject respond_to? select strip to_a to_h to_s to_sym uniq",
  ),
  php: words("append count current execute fetch fetchAll format getMessage prepare rewind valid"),
  swift: words("append contains description filter first flatMap forEach isEmpty joined removeAll sorted"),
  dart: words("addAll contains forEach isEmpty setState toList toString where"),
  other: new Set(),
};

function isBuiltinMember(name: string, family: Family): boolean {
  return builtinMembers.all.has(name) || builtinMembers[family].has(name);
}

const shortestDistinctive = 5;

/** A member's name that identifies one definition, if there is only one. */
export function isDistinctive(name: string, family: Family): boolean {
  return name.length >= shortestDistinctive && !isBuiltinMember(name, family);
}

/** True for a name of two words or a type's name, which is unlikely for a parameter or local variable. */
export function isCompound(name: string): boolean {
  return name.length >= shortestDistinctive && (/^\p{Lu}/u.test(name) || /[\p{Ll}\p{N}](?:\p{Lu}|_+\p{L})/u.test(name));
}
