import type { Kind } from "../../item.ts";
import type { BlockStyle } from "./declaration-ends.ts";
import type { LanguageId } from "./languages.ts";

/** What the line-by-line reader needs to know about a language. */
export type GenericRules = {
  lineComments: string[];
  blockComments: [string, string][];
  strings: string[];
  /**
   * Tried in order on each line (comments and strings blanked, unless `raw`); the group `name`, or the first, is the
   * name.
   */
  declarations: { kind: Kind; pattern: RegExp; block: BlockStyle; raw?: boolean }[];
  /** Keywords that a pattern may match as names. */
  keywords: Set<string>;
  /** A pattern with the group `module` and optionally `names` or `alias`. */
  imports?: RegExp;
};

type Given = Partial<Omit<GenericRules, "declarations" | "keywords">> & {
  block: BlockStyle;
  /** An optional third value overrides the language's block style. */
  declarations: [Kind, RegExp, BlockStyle?][];
  raw?: boolean;
  keywords?: string;
};

const modifiers =
  "(?:(?:public|private|protected|internal|open|override|abstract|final|sealed|static|inline|suspend|data|export|external|async|implicit|lazy|case|const|pub|virtual|extern|unsafe|inner|companion|value|operator|infix|tailrec|annotation|fun|enum(?= class)|@\\w+(?:\\([^)]*\\))?)\\s+)*";

function lines(source: string, flags = "u"): RegExp {
  return new RegExp(`^\\s*${source}`, flags);
}

function modified(source: string): RegExp {
  return new RegExp(`^\\s*${modifiers}${source}`, "u");
}

const cStyle = { lineComments: ["//"], blockComments: [["/*", "*/"]] as [string, string][], strings: ['"', "'"] };
const hashStyle = { lineComments: ["#"], blockComments: [] as [string, string][], strings: ['"', "'"] };
const name = "(?<name>[\\p{L}_][\\p{L}\\p{N}_]*)";
const dotted = "(?<name>[\\p{L}_][\\p{L}\\p{N}_.:]*)";

/** Rules for most languages with braces; also used when a grammar gives up on a file. */
const braces = (): Given => ({
  ...cStyle,
  block: "brace",
  declarations: [
    [
      "class",
      modified(`(?:class|struct|object|record|union|actor|contract|library|trait|impl(?:<[^>]*>)?)\\s+${name}`),
    ],
    ["interface", modified(`(?:interface|protocol)\\s+${name}`)],
    ["enum", modified(`enum\\s+(?:class\\s+|struct\\s+)?${name}`)],
    ["module", modified(`(?:namespace|module|package|mod|extension)\\s+${dotted}(?=.*\\{)`)],
    [
      "function",
      modified(
        `(?:function|func|fn|fun|def|sub)\\b\\s*\\*?\\s*(?:<[^>]*>\\s*)?(?:\\([^)]*\\)\\s*)?(?:[\\p{L}\\p{N}_<>?]+\\.)?${name}\\s*[(<\\[{=:]`,
      ),
    ],
    ["type", modified(`(?:type|typealias|typedef)\\s+${name}\\s*(?:<[^>]*>)?\\s*=`)],
    [
      "constant",
      lines(
        "(?:export\\s+|pub\\s+|public\\s+|private\\s+)*(?:const|val|let|var|static|final)\\s+(?:val\\s+)?(?<name>[A-Z][A-Z0-9_]+)\\b\\s*[:=]",
      ),
    ],
    [
      "function",
      lines(
        "(?!return\\b|else\\b|new\\b|throw\\b|case\\b|if\\b|for\\b|while\\b|switch\\b)(?:[\\p{L}_][\\p{L}\\p{N}_<>:,*&\\[\\]]*\\s+)+\\**&?(?<name>~?[\\p{L}_][\\p{L}\\p{N}_:~]*)\\s*\\([^;{]*\\)?[^;=]*\\{?\\s*$",
      ),
    ],
  ],
  keywords: "if for while switch catch return else do try new sizeof function class",
  imports:
    /^[ \t]*(?:import|using|use|#include|require|@import)\s+(?:static\s+)?["'<]?(?<module>[\p{L}_@][\p{L}\p{N}_.:/*@-]*)(?:\s+as\s+(?<alias>\w+))?.*$/gmu,
});

const lua = (): Given => ({
  lineComments: ["--"],
  blockComments: [["--[[", "]]"]],
  strings: ['"', "'"],
  block: "end",
  declarations: [
    ["function", lines(`(?:(?:local|global)\\s+)?function\\s+${dotted}`)],
    ["function", lines(`(?:local\\s+)?${dotted}\\s*=\\s*function\\b`)],
    ["constant", /^(?:local\s+)?(?<name>[A-Z][A-Z0-9_]+)\s*=/, "indent"],
  ],
  imports: /^[ \t]*(?:local\s+(?<alias>\w+)\s*=\s*)?require\s*\(?\s*["'](?<module>[^"'\n]+)["'].*$/gmu,
});

/**
 * The values are functions, because compiling all patterns takes longer than the rest of a command's start, and a run
 * needs the patterns of a few languages only.
 */
const table: Partial<Record<LanguageId, () => Given>> = {
  python: () => ({
    ...hashStyle,
    strings: ['"""', "'''", '"', "'"],
    block: "indent",
    declarations: [
      ["class", lines(`class\\s+${name}`)],
      ["function", lines(`(?:async\\s+)?def\\s+${name}`)],
      ["constant", /^(?<name>[A-Z][A-Z0-9_]+)\s*=/],
    ],
    imports: /^[ \t]*(?:from\s+(?<module>[.\w]+)\s+import\s+(?<names>[^#\n]+)|import\s+(?<alias>\w+)).*$/gmu,
  }),
  ruby: () => ({
    ...hashStyle,
    block: "end",
    declarations: [
      ["class", lines(`class\\s+${dotted}`)],
      ["module", lines(`module\\s+${dotted}`)],
      ["function", lines("def\\s+(?:self\\.)?(?<name>[\\p{L}_]\\w*[?!=]?)")],
    ],
  }),
  kotlin: () => ({
    ...braces(),
    strings: ['"""', '"'],
    declarations: [
      ["enum", modified(`enum\\s+class\\s+${name}`)],
      ["interface", modified(`(?:fun\\s+)?interface\\s+${name}`)],
      ["class", modified(`(?:class|object)\\s+${name}`)],
      ["function", modified(`fun\\s+(?:<[^>]*>\\s*)?(?:[\\p{L}\\p{N}_<>?, ]+\\.)?${name}\\s*\\(`)],
      ["type", modified(`typealias\\s+${name}`)],
      ["constant", lines("(?:private\\s+|internal\\s+|public\\s+)*(?:const\\s+)?val\\s+(?<name>[A-Z][A-Z0-9_]+)\\b")],
    ],
    imports: /^[ \t]*import\s+(?<module>[\p{L}_][\p{L}\p{N}_.*]*)(?:\s+as\s+(?<alias>\w+))?/gmu,
  }),
  scala: () => ({
    ...braces(),
    strings: ['"""', '"'],
    declarations: [
      ["class", modified(`(?:class|object)\\s+${name}`)],
      ["interface", modified(`trait\\s+${name}`)],
      ["enum", modified(`enum\\s+${name}`)],
      ["function", modified(`def\\s+(?<name>[\\p{L}_][\\p{L}\\p{N}_]*|[^\\s\\w(\\[:]+)`)],
      ["type", modified(`type\\s+${name}`)],
      [
        "constant",
        lines("(?:private\\s+|protected\\s+|final\\s+|lazy\\s+|implicit\\s+)*val\\s+(?<name>[A-Z]\\w+)\\s*[:=]"),
      ],
    ],
    imports: /^[ \t]*import\s+(?<module>[\p{L}_][\p{L}\p{N}_.]*?)\.?(?:\{(?<names>[^}]{0,2000})\}|\*|_)?[ \t]*$/gmu,
  }),
  groovy: () => ({ ...braces(), strings: ['"""', "'''", '"', "'"] }),
  lua,
  teal: () => ({
    ...lua(),
    declarations: [
      ["class", lines(`(?:(?:local|global)\\s+)?(?:record|interface)\\s+${name}`)],
      ["enum", lines(`(?:(?:local|global)\\s+)?enum\\s+${name}`)],
      ["type", lines(`(?:local|global)\\s+type\\s+${name}\\s*=`), "indent"],
      ...lua().declarations,
    ],
  }),
  sql: () => ({
    lineComments: ["--"],
    blockComments: [["/*", "*/"]],
    strings: ["'"],
    block: "statement",
    declarations: [
      [
        "function",
        lines(
          'create\\s+(?:or\\s+replace\\s+)?(?:temp\\s+)?(?:function|procedure|trigger|aggregate)\\s+(?:if\\s+not\\s+exists\\s+)?(?<name>[\\w."`\\[\\]]+)',
          "iu",
        ),
      ],
      [
        "class",
        lines(
          'create\\s+(?:or\\s+replace\\s+)?(?:global\\s+|local\\s+)?(?:temp(?:orary)?\\s+|unlogged\\s+|materialized\\s+|external\\s+|virtual\\s+)*(?:table|view)\\s+(?:if\\s+not\\s+exists\\s+)?(?<name>[\\w."`\\[\\]]+)',
          "iu",
        ),
      ],
      ["type", lines('create\\s+(?:type|domain|enum)\\s+(?<name>[\\w."`\\[\\]]+)', "iu")],
    ],
    raw: true,
  }),
  elixir: () => ({
    ...hashStyle,
    strings: ['"""', '"'],
    block: "end",
    declarations: [
      ["module", lines("(?:defmodule|defimpl)\\s+(?<name>[\\p{Lu}][\\w.]*)")],
      ["interface", lines("defprotocol\\s+(?<name>[\\p{Lu}][\\w.]*)")],
      [
        "function",
        lines("(?:def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate)\\s+(?<name>[\\p{Ll}_]\\w*[?!]?)"),
      ],
      ["type", lines("@(?:type|typep|opaque)\\s+(?<name>\\w+)"), "indent"],
    ],
    imports:
      /^[ \t]*(?:import|alias|use|require)\s+(?<module>[A-Z]\w*(?:\.[A-Z]\w*)*)(?:\.\{(?<names>[^}]{0,2000})\}|,\s*as:\s*(?<alias>\w+))?.*$/gmu,
  }),
  erlang: () => ({
    lineComments: ["%"],
    blockComments: [],
    strings: ['"'],
    block: "column",
    declarations: [
      ["class", /^-record\(\s*(?<name>\w+)/],
      ["type", /^-(?:type|opaque)\s+(?<name>\w+)/],
      ["constant", /^-define\(\s*(?<name>\w+)/],
      ["function", /^(?<name>[a-z]\w*)\s*\(.*(?:->|when|,\s*$|\)\s*$)/],
    ],
    imports: /^-(?:include|include_lib)\(\s*"(?<module>[^"]+)"|^-import\(\s*(?<alias>\w+)/gmu,
  }),
  haskell: () => ({
    lineComments: ["--"],
    blockComments: [["{-", "-}"]],
    strings: ['"'],
    block: "column",
    declarations: [
      ["class", /^class\s+(?:.*=>\s*)?(?<name>[A-Z]\w*)/],
      ["class", /^instance\s+(?:.*=>\s*)?(?<name>[A-Z]\w*(?:\s+\(?[A-Z]\w*)?)/],
      ["type", /^(?:data|newtype|type)\s+(?:family\s+|instance\s+)?(?<name>[A-Z]\w*)/],
      [
        "function",
        /^(?!module\b|import\b|where\b|infix|deriving\b|let\b|in\b|if\b|case\b|main\s*$)(?<name>[a-z_][\w']*)\b.*(?:::|=|\|)/,
      ],
    ],
    imports:
      /^import\s+(?:qualified\s+)?(?<module>[A-Z][\w.]*)(?:\s+qualified)?(?:\s+as\s+(?<alias>\w+))?(?:\s*\((?<names>[^)]{0,2000})\))?/gmu,
  }),
  ocaml: () => ({
    lineComments: [],
    blockComments: [["(*", "*)"]],
    strings: ['"'],
    block: "column",
    declarations: [
      ["module", /^module\s+(?:type\s+|rec\s+)?(?<name>[A-Z]\w*)/],
      ["class", /^class\s+(?:virtual\s+)?(?<name>\w+)/],
      ["type", /^(?:type|exception)\s+(?:nonrec\s+)?(?:\(.*?\)\s*|'\w+\s+)?(?<name>\w+)/],
      ["function", /^(?:let|and|val|external)\s+(?:rec\s+)?(?<name>[a-z_][\w']*)/],
    ],
    imports: /^open!?\s+(?<module>[A-Z][\w.]*)/gmu,
  }),
  fsharp: () => ({
    lineComments: ["//"],
    blockComments: [["(*", "*)"]],
    strings: ['"""', '"'],
    block: "indent",
    declarations: [
      ["module", lines(`module\\s+(?:private\\s+|internal\\s+|rec\\s+)?${dotted}(?=.*=)`)],
      ["type", lines(`(?:type|and)\\s+(?:private\\s+|internal\\s+)?${name}`)],
      [
        "function",
        lines(
          "(?:let|member|override|abstract|static member|default)\\s+(?:rec\\s+|inline\\s+|private\\s+|internal\\s+|mutable\\s+)*(?:\\w+\\.)?(?<name>[\\p{L}_]\\w*)",
        ),
      ],
    ],
    imports: /^[ \t]*open\s+(?<module>[\w.]+)/gmu,
  }),
  elm: () => ({
    lineComments: ["--"],
    blockComments: [["{-", "-}"]],
    strings: ['"""', '"'],
    block: "column",
    declarations: [
      ["type", /^type\s+(?:alias\s+)?(?<name>[A-Z]\w*)/],
      ["function", /^(?!import\b|module\b|port module\b)(?:port\s+)?(?<name>[a-z]\w*)\b.*(?::|=)/],
    ],
    imports:
      /^import\s+(?<module>[A-Z][\w.]*)(?:\s+as\s+(?<alias>\w+))?(?:\s+exposing\s*\((?<names>[^)]{0,2000})\))?/gmu,
  }),
  clojure: () => ({
    lineComments: [";"],
    blockComments: [],
    strings: ['"'],
    block: "parenthesis",
    declarations: [
      ["function", /^\s?\((?:defn-?|defmacro|defmulti|defmethod|deftest)\s+(?:\^\S+\s+)?(?<name>[^\s()[\]]+)/],
      ["class", /^\s?\((?:defrecord|deftype|defprotocol|definterface)\s+(?<name>[^\s()[\]]+)/],
      ["constant", /^\s?\((?:def|defonce)\s+(?:\^\S+\s+)?(?<name>[^\s()[\]]+)/],
    ],
  }),
  lisp: () => ({
    lineComments: [";"],
    blockComments: [["#|", "|#"]],
    strings: ['"'],
    block: "parenthesis",
    declarations: [
      [
        "function",
        /^\s?\((?:defun|defmacro|defmethod|defgeneric|cl-defun|define-command|defsubst)\s+\(?(?<name>[^\s()]+)/,
      ],
      ["function", /^\s?\(define(?:-syntax|\/contract)?\s+\((?<name>[^\s()]+)/],
      ["class", /^\s?\((?:defclass|defstruct|define-record-type|struct|cl-defstruct)\s+\(?(?<name>[^\s()]+)/],
      ["constant", /^\s?\((?:defvar|defconst|defconstant|defparameter|defcustom|define)\s+(?<name>[^\s()]+)/],
    ],
  }),
  zig: () => ({
    ...cStyle,
    strings: ['"'],
    block: "brace",
    declarations: [
      ["class", modified(`const\\s+${name}\\s*=\\s*(?:packed\\s+|extern\\s+)?(?:struct|union)\\b`)],
      ["enum", modified(`const\\s+${name}\\s*=\\s*(?:enum|error)\\b`)],
      ["function", modified(`fn\\s+${name}\\s*\\(`)],
      ["constant", lines("(?:pub\\s+)?const\\s+(?<name>[A-Za-z_]\\w*)\\s*(?::[^=]+)?=(?!\\s*@import)")],
    ],
    imports: /^[ \t]*(?:pub\s+)?const\s+(?<alias>\w+)\s*=\s*@import\("(?<module>[^"]+)"\).*$/gmu,
  }),
  nim: () => ({
    ...hashStyle,
    strings: ['"""', '"'],
    block: "indent",
    declarations: [
      ["function", lines("(?:proc|func|method|iterator|template|macro|converter)\\s+`?(?<name>[^\\s*(`\\[]+)")],
      [
        "type",
        /^\s+(?<name>[A-Z]\w*)\*?\s*(?:\{[^}]*\}\s*)?=\s*(?:ref\s+|ptr\s+)?(?:object|enum|tuple|concept|distinct)\b/,
      ],
    ],
    imports: /^(?:import|from|include)\s+(?<module>[\w/.]+)(?:\s+import\s+(?<names>.*))?/gmu,
  }),
  crystal: () => ({
    ...hashStyle,
    strings: ['"'],
    block: "end",
    declarations: [
      ["class", lines(`(?:abstract\\s+)?(?:class|struct)\\s+${dotted}`)],
      ["module", lines(`(?:module|lib)\\s+${dotted}`)],
      ["enum", lines(`enum\\s+${dotted}`)],
      [
        "function",
        lines("(?:private\\s+|protected\\s+)?(?:def|macro|fun)\\s+(?:self\\.)?(?<name>[\\p{L}_]\\w*[?!=]?)"),
      ],
    ],
  }),
  perl: () => ({
    ...hashStyle,
    block: "brace",
    declarations: [
      ["module", lines("package\\s+(?<name>[\\w:]+)(?=.*\\{)")],
      ["function", lines("(?:my\\s+)?sub\\s+(?<name>[\\w:]+)")],
    ],
    imports: /^[ \t]*(?:use|require)\s+(?<module>[A-Z][\w:]*)(?:\s+qw[(/](?<names>[^)/]*)[)/])?.*$/gmu,
  }),
  r: () => ({
    ...hashStyle,
    block: "brace",
    declarations: [
      ["function", lines("(?<name>[\\p{L}.][\\w.]*)\\s*(?:<-|<<-|=)\\s*function\\b")],
      ["class", lines("(?:(?<name>[\\p{L}.][\\w.]*)\\s*(?:<-|=)\\s*)(?:R6Class|setRefClass|setClass)\\s*\\(")],
      ["constant", /^(?<name>[A-Z][A-Z0-9_.]+)\s*(?:<-|=)/],
    ],
    imports: /^[ \t]*(?:library|require|source)\s*\(\s*["']?(?<module>[\w./-]+)["']?\s*\).*$/gmu,
  }),
  julia: () => ({
    ...hashStyle,
    blockComments: [["#=", "=#"]],
    strings: ['"""', '"'],
    block: "end",
    declarations: [
      ["module", lines(`(?:bare)?module\\s+${name}`)],
      ["class", lines(`(?:mutable\\s+)?struct\\s+${name}`)],
      ["interface", lines(`(?:abstract|primitive)\\s+type\\s+${name}`)],
      ["function", lines("(?:@\\w+\\s+)*(?:function|macro)\\s+(?:[\\w.]+\\.)?(?<name>[\\p{L}_][\\p{L}\\p{N}_!]*)")],
      ["function", /^\s*(?<name>[\p{L}_][\p{L}\p{N}_!]*)\([^)]*\)(?:::\S+)?\s*=(?!=)/u, "indent"],
      ["constant", lines("const\\s+(?<name>\\w+)\\s*="), "indent"],
    ],
    imports: /^[ \t]*(?:using|import)\s+(?<module>[\w.]+)(?:\s*:\s*(?<names>.*))?$/gmu,
  }),
  matlab: () => ({
    lineComments: ["%"],
    blockComments: [["%{", "%}"]],
    strings: ['"', "'"],
    block: "end",
    declarations: [
      ["class", lines(`classdef\\s+(?:\\([^)]*\\)\\s*)?${name}`)],
      ["function", lines("function\\s+(?:(?:\\[[^\\]]*\\]|[\\w.]+)\\s*=\\s*)?(?<name>[\\w.]+)")],
    ],
  }),
  objectivec: () => ({
    ...cStyle,
    block: "brace",
    declarations: [
      ["class", /^@(?:implementation|interface)\s+(?<name>\w+)/, "marker"],
      ["interface", /^@protocol\s+(?<name>\w+)(?!.*;)/, "marker"],
      ["function", lines("[-+]\\s*\\([^)]*\\)\\s*(?<name>\\w+)(?=.*(?:\\{|$))")],
      ["enum", lines("typedef\\s+NS_(?:ENUM|OPTIONS)\\s*\\(\\s*\\w+\\s*,\\s*(?<name>\\w+)")],
      ...braces().declarations,
    ],
    keywords: braces().keywords,
    imports: /^[ \t]*(?:#import|#include|@import)\s+["<]?(?<module>[\w./+-]+)[">]?.*$/gmu,
  }),
  fortran: () => ({
    lineComments: ["!"],
    blockComments: [],
    strings: ['"', "'"],
    block: "end",
    declarations: [
      ["module", lines("(?:module|program)\\s+(?!procedure)(?<name>\\w+)", "iu")],
      ["class", lines("type\\s*(?:,[^:]*)?(?:::)?\\s+(?<name>\\w+)\\s*$", "iu")],
      [
        "function",
        lines(
          "(?:(?:pure|elemental|recursive|impure|integer|real|logical|character|double precision|complex|type)\\b(?:\\([^)]*\\))?\\s*)*(?:subroutine|function)\\s+(?<name>\\w+)",
          "iu",
        ),
      ],
    ],
    imports: /^[ \t]*use\s*(?:,[^:\n]*::)?\s*(?<module>\w+)(?:\s*,\s*only\s*:\s*(?<names>.*))?/gimu,
  }),
  pascal: () => ({
    lineComments: ["//"],
    blockComments: [
      ["{", "}"],
      ["(*", "*)"],
    ],
    strings: ["'"],
    block: "column",
    declarations: [
      ["function", lines("(?:class\\s+)?(?:function|procedure|constructor|destructor)\\s+(?<name>[\\w.]+)", "iu")],
      ["class", lines("(?<name>\\w+)\\s*=\\s*(?:packed\\s+)?(?:class|record|interface|object)\\b", "iu")],
    ],
  }),
  vb: () => ({
    lineComments: ["'"],
    blockComments: [],
    strings: ['"'],
    block: "end",
    declarations: [
      [
        "class",
        lines(
          "(?:(?:public|private|friend|partial|mustinherit|notinheritable)\\s+)*(?:class|structure)\\s+(?<name>\\w+)",
          "iu",
        ),
      ],
      ["interface", lines("(?:(?:public|private|friend)\\s+)*interface\\s+(?<name>\\w+)", "iu")],
      ["enum", lines("(?:(?:public|private|friend)\\s+)*enum\\s+(?<name>\\w+)", "iu")],
      ["module", lines("(?:(?:public|private|friend)\\s+)*(?:module|namespace)\\s+(?<name>[\\w.]+)", "iu")],
      [
        "function",
        lines(
          "(?:(?:public|private|friend|protected|shared|overrides|overridable|static|async)\\s+)*(?:sub|function|property)\\s+(?<name>\\w+)",
          "iu",
        ),
      ],
    ],
    imports: /^[ \t]*imports\s+(?<module>[\w.]+)/gimu,
  }),
  coffeescript: () => ({
    ...hashStyle,
    blockComments: [["###", "###"]],
    strings: ['"""', "'''", '"', "'"],
    block: "indent",
    declarations: [
      ["class", lines(`class\\s+${dotted}`)],
      [
        "function",
        lines("(?:exports\\.|module\\.exports\\.|@)?(?<name>[\\p{L}_$][\\w$.]*)\\s*[:=]\\s*(?:\\([^)]*\\)\\s*)?[-=]>"),
      ],
    ],
    imports: /^[ \t]*(?:(?<alias>\w+)\s*=\s*)?require\s*\(?\s*["'](?<module>[^"'\n]+)["'].*$/gmu,
  }),
  gdscript: () => ({
    ...hashStyle,
    strings: ['"""', '"', "'"],
    block: "indent",
    declarations: [
      ["class", lines(`class\\s+${name}`)],
      ["function", lines(`(?:static\\s+)?func\\s+${name}`)],
      ["enum", lines(`enum\\s+${name}`)],
      ["constant", /^const\s+(?<name>\w+)/],
    ],
  }),
  starlark: () => ({
    ...hashStyle,
    strings: ['"""', "'''", '"', "'"],
    block: "indent",
    declarations: [
      ["function", lines(`def\\s+${name}`)],
      ["constant", /^(?<name>[A-Z][A-Z0-9_]+)\s*=/],
    ],
    imports: /^load\(\s*["'](?<module>[^"']+)["']\s*,(?<names>[^)]{0,2000})\)/gmu,
  }),
  tcl: () => ({
    ...hashStyle,
    strings: ['"'],
    block: "brace",
    declarations: [
      ["function", lines("(?:proc|method)\\s+(?<name>[\\w:]+)")],
      ["class", lines("(?:oo::class create|itcl::class)\\s+(?<name>[\\w:]+)")],
    ],
  }),
  awk: () => ({
    ...hashStyle,
    strings: ['"'],
    block: "brace",
    declarations: [["function", lines("(?:function|func)\\s+(?<name>\\w+)")]],
  }),
  fish: () => ({ ...hashStyle, block: "end", declarations: [["function", lines("function\\s+(?<name>[\\w-]+)")]] }),
  bash: () => ({
    ...hashStyle,
    block: "brace",
    declarations: [
      ["function", lines("(?:function\\s+)?(?<name>[\\w:-]+)\\s*\\(\\)")],
      ["function", lines("function\\s+(?<name>[\\w:-]+)")],
    ],
  }),
  powershell: () => ({
    ...hashStyle,
    blockComments: [["<#", "#>"]],
    block: "brace",
    declarations: [
      ["function", lines("(?:function|filter)\\s+(?<name>[\\w:-]+)", "iu")],
      ["class", lines("class\\s+(?<name>\\w+)", "iu")],
    ],
  }),
  protobuf: () => ({
    ...cStyle,
    block: "brace",
    declarations: [
      ["class", lines(`message\\s+${name}`)],
      ["interface", lines(`service\\s+${name}`)],
      ["enum", lines(`enum\\s+${name}`)],
      ["function", lines(`rpc\\s+${name}`)],
    ],
    imports: /^[ \t]*import\s+(?:public\s+|weak\s+)?"(?<module>[^"]+)".*$/gmu,
  }),
  thrift: () => ({
    ...cStyle,
    block: "brace",
    declarations: [
      ["class", lines(`(?:struct|union|exception)\\s+${name}`)],
      ["interface", lines(`service\\s+${name}`)],
      ["enum", lines(`enum\\s+${name}`)],
      ["type", lines(`typedef\\s+\\S+\\s+${name}`)],
    ],
  }),
  graphql: () => ({
    ...hashStyle,
    strings: ['"""', '"'],
    block: "brace",
    declarations: [
      ["class", lines(`(?:extend\\s+)?type\\s+${name}`)],
      ["interface", lines(`(?:extend\\s+)?interface\\s+${name}`)],
      ["enum", lines(`enum\\s+${name}`)],
      ["type", lines(`(?:input|union|scalar)\\s+${name}`)],
      ["function", lines(`(?:query|mutation|subscription|fragment)\\s+${name}`)],
    ],
  }),
  prisma: () => ({
    ...cStyle,
    block: "brace",
    declarations: [
      ["class", lines(`(?:model|type|view)\\s+${name}`)],
      ["enum", lines(`enum\\s+${name}`)],
    ],
  }),
  terraform: () => ({
    lineComments: ["#", "//"],
    blockComments: [["/*", "*/"]],
    strings: ['"'],
    block: "brace",
    raw: true,
    declarations: [
      ["class", /^(?:resource|data)\s+"(?<name>[^"]+"\s+"[^"]+)"/],
      ["module", /^module\s+"(?<name>[^"]+)"/],
      ["constant", /^(?:variable|output|provider)\s+"(?<name>[^"]+)"/],
    ],
  }),
  scss: () => ({
    ...cStyle,
    block: "brace",
    declarations: [
      ["function", lines("@(?:mixin|function)\\s+(?<name>[\\w-]+)")],
      ["constant", /^(?<name>[$][\w-]+)\s*:(?=.*[({,]\s*$)/],
      ["type", /^(?<name>%[\w-]+)\s*\{/],
    ],
    imports: /^[ \t]*@(?:use|import|forward)\s+["'](?<module>[^"'\n]+)["'](?:\s+as\s+(?<alias>\w+))?.*$/gmu,
  }),
  less: () => ({
    ...cStyle,
    block: "brace",
    declarations: [["function", /^\.(?<name>[\w-]+)\s*\([^)]*\)\s*(?:when.*)?\{/]],
    imports: /^[ \t]*@import\s+(?:\([^)]{0,2000}\)\s*)?["'](?<module>[^"'\n]+)["'].*$/gmu,
  }),
  glsl: () => ({ ...braces(), strings: ['"'] }),
  d: () => ({ ...braces(), strings: ['"', "`"] }),
  assembly: () => ({
    lineComments: [";", "//"],
    blockComments: [["/*", "*/"]],
    strings: ['"'],
    block: "column",
    declarations: [["function", /^(?<name>[A-Za-z_.$][\w.$@]*):/]],
  }),
  nix: () => ({
    ...hashStyle,
    blockComments: [["/*", "*/"]],
    strings: ["''", '"'],
    block: "indent",
    declarations: [["function", /^ {0,4}(?<name>[\w.-]+)\s*=\s*(?:\{[^}]*\}|\w+)\s*:/]],
  }),
  viml: () => ({
    lineComments: [],
    blockComments: [],
    strings: [],
    block: "end",
    declarations: [["function", lines("(?:fu|func|function|def)!?\\s+(?<name>[\\w:#.]+)")]],
  }),
};

const ready = new Map<LanguageId, GenericRules>();

export function genericRules(language: LanguageId): GenericRules {
  let rules = ready.get(language);
  if (!rules) {
    const entry = (table[language] ?? braces)();
    rules = {
      lineComments: entry.lineComments ?? [],
      blockComments: entry.blockComments ?? [],
      strings: entry.strings ?? [],
      declarations: entry.declarations.map(([kind, pattern, block]) => ({
        kind,
        pattern,
        block: block ?? entry.block,
        raw: entry.raw,
      })),
      keywords: new Set((entry.keywords ?? "").split(" ")),
      imports: entry.imports,
    };
    ready.set(language, rules);
  }
  return rules;
}
