import { bothEnds, withoutColours } from "./query-parts.ts";

/** A place that a pasted stack trace names. */
export type StackFrame = {
  /** As printed, with slashes: of another machine, of an installed package, or a file's name alone. */
  path: string;
  line: number;
  /** The running function, without its class or module. */
  name?: string;
  /** The name comes from the call in the frame above: if frames are left out, it is another function's. */
  isNameInferred?: true;
  /**
   * Where an installed package begins in the path: `…/site-packages/tornado`. Its frames are ours only if the package
   * is.
   */
  installed?: string;
};

/**
 * A stack trace: its errors, the first cause or the last error first, and the frames of each, the one that raised it
 * first.
 */
export type StackTrace = {
  errors: StackFrame[][];
  /** A shorter rest of the text says little else. */
  alone: boolean;
};

const mostFrames = 60;
const longestLine = 2_000;
/** With this many words on other lines it is a report that contains a trace. */
const mostOtherWords = 60;
/** Fewer frames are a place that is named, not a trace, unless a runtime printed it. */
const fewestFrames = 2;

const path = String.raw`(?<path>(?:[A-Za-z]:)?[^\s"'()<>|:*?,;]{1,300}\.[A-Za-z]{1,8})`;
const pathWithSpaces = String.raw`(?<path>(?:[A-Za-z]:)?[^"'()<>|:*?\n]{1,300}\.[A-Za-z]{1,8})`;
const scheme = String.raw`(?:(?:file|webpack|webpack-internal|vite-node|https?):\/\/[^/\s]{0,100}\/)?(?:\.\/)?(?:\(\w{1,20}\)\/)?`;

/** One row per way to print a frame. All are anchored and bounded, so that a line costs its length. */
type Form = {
  pattern: RegExp;
  /** The raising frame is printed last. */
  isLast?: true;
  /** One such line is a trace. */
  isSure?: true;
  /** The function's name is in the line above. */
  nameIsAbove?: true;
  /** The name is that of the called function, as in PHP: the frame before runs in it. */
  namesCalled?: true;
};

const forms: Form[] = [
  // Python: File "/app/x.py", line 12, in run
  {
    pattern: /^File ["'](?<path>[^"'\n]{1,300})["'], line (?<line>\d{1,7})(?:, in (?<name>\S{1,120}))?/,
    isLast: true,
    isSure: true,
  },
  // Java, Kotlin, Scala: at com.foo.Bar$Inner.run(Bar.java:12)
  {
    pattern:
      /^at (?:[\w.@$-]{1,120}\/{1,2}){0,2}(?<scope>(?:[\w$-]{1,80}\.){1,20})(?<name>[\w$<>-]{1,120})\((?<path>[\w$-]{1,120}\.[a-z]{2,6}):(?<line>\d{1,7})\)/,
    isSure: true,
  },
  // C#: at Foo.Bar.Run(String[] args) in C:\src\Bar.cs:line 12
  {
    pattern: /^at (?<name>[^\n(]{1,300})\([^\n]{0,600}\) in (?<path>[^\n]{1,300}):line (?<line>\d{1,7})/,
    isSure: true,
  },
  // Rust: `2: krate::module::run` and below it `at ./src/x.rs:12:5`
  {
    pattern: /^at (?<path>[^\s"'()<>|:*?,;]{1,300}\.rs):(?<line>\d{1,7})(?::\d{1,7})?$/,
    nameIsAbove: true,
    isSure: true,
  },
  // JavaScript: at async run (/app/x.js:12:5), at file:///app/x.js:12:5; Safari and Firefox: run@http://host/x.js:12:5
  {
    pattern: new RegExp(
      String.raw`^(?:at (?:async )?(?:new )?(?:(?<name>[^\n(]{1,200}?) (?:\[as [\w$]{1,60}\] )?\()?|(?<firefox>[\w$.<>/]{0,80})@)${scheme}${pathWithSpaces}(?:\?[\w=&.-]{0,80})?:(?<line>\d{1,7}):\d{1,7}\)?`,
    ),
    isSure: true,
  },
  // PHP, Symfony: at /app/x.php:12
  { pattern: new RegExp(String.raw`^at ${path}:(?<line>\d{1,7})$`), isSure: true },
  // PHP, Symfony: Foo->run() at /app/x.php:12
  {
    pattern: new RegExp(String.raw`^(?<name>[\w\\:>~-]{1,200})\(\) at ${path}:(?<line>\d{1,7})$`),
    namesCalled: true,
    isSure: true,
  },
  // Rust: thread 'main' panicked at src/x.rs:12:5:
  {
    pattern: new RegExp(
      String.raw`^thread '[^'\n]{0,80}' (?:\(\d{1,12}\) )?panicked at (?:'[^\n]{0,600}', )?${path}:(?<line>\d{1,7})`,
    ),
    isSure: true,
  },
  // Go: \t/src/x.go:12 +0x1d
  {
    pattern: /^(?<path>[^\s"'()<>|*?,;]{1,300}\.(?:go|s|c)):(?<line>\d{1,7}) \+0x[0-9a-f]{1,16}$/,
    nameIsAbove: true,
    isSure: true,
  },
  // Ruby: from /gems/x.rb:12:in `run', # ./spec/x_spec.rb:12:in 'block in run'
  {
    pattern: new RegExp(
      String.raw`^(?:\d{1,4}: )?(?:from |# )?${path}:(?<line>\d{1,7}):in ['${"`"}](?:block (?:\(\d{1,3} levels\) )?in |rescue in |ensure in )?(?<name>[^'${"`"}\n]{1,120})'`,
    ),
    isSure: true,
  },
  // PHP: #0 /app/x.php(12): Foo->run()
  {
    pattern:
      /^#\d{1,4} (?<path>[^\n()]{1,300}\.\w{2,5})\((?<line>\d{1,7})\): (?<name>[\w\\]{1,200}(?:(?:->|::)\w{1,80})?)/,
    namesCalled: true,
    isSure: true,
  },
  // PHP: Uncaught Foo: text in /app/x.php:12
  {
    pattern: new RegExp(
      String.raw`^(?:PHP )?(?:Fatal|Parse|Warning)[^\n]{1,1000}? in ${path}(?::| on line )(?<line>\d{1,7})$`,
    ),
    isSure: true,
  },
  // Elixir: (plug 1.16.1) lib/plug/conn.ex:440: Plug.Conn.send_resp/1
  {
    pattern:
      /^(?:\([\w.-]{1,60}(?: [\w.+-]{1,40})?\) )?(?<path>[^\s"'()<>|:*?,;]{1,300}\.(?:exs?|[eh]rl|eex|heex)):(?<line>\d{1,7}): (?<name>[^\n]{1,200})/,
    isSure: true,
  },
  // gdb, lldb, sanitizers: #4 0x5f in run (s=0x0) at x.c:12, #1 0x4f in run /src/x.c:12:3
  {
    pattern: new RegExp(
      String.raw`^(?:\* )?(?:frame )?#\d{1,4}:? +(?:0x[0-9a-fA-F]{1,16} )?(?:in )?(?:[\w.-]{1,80}${"`"})?(?<name>[\w:~$<>]{1,200})(?: ?\([^\n]{0,800}\))?(?: at)? ${path}:(?<line>\d{1,7})(?::\d{1,5})?$`,
    ),
    isSure: true,
  },
  // pytest: tests/x.py:12: in run, src/x.py:12: ValueError
  {
    pattern: /^(?<path>[^\s"'()<>|:*?,;]{1,300}\.py):(?<line>\d{1,7}): (?:in (?<name>[\w<>]{1,120})|[A-Z][\w.]{2,80}$)/,
    isLast: true,
  },
];

/**
 * Begins the trace of another error, which is nearer to the problem than those above: its cause, or an error while
 * handling it.
 */
const nextError =
  /^(?:Caused by:|Traceback \(most recent call last\)|\[cause\]:|Next [\w\\]{1,200}:|(?:- )?Suppressed:|---> )/;
const nextThread = /^(?:goroutine \d{1,9} \[|created by |Thread \d{1,6} )/;

/** The stack trace in a text, if there is one. */
export function stackTrace(text: string): StackTrace | undefined {
  const errors: StackFrame[][] = [[]];
  const seen = new Set<string>();
  let isChained = false;
  let isSure = false;
  let otherWords = 0;
  let above = "";
  for (const whole of linesOf(text)) {
    const printed = whole.slice(0, longestLine);
    const line = printed.trim();
    if (nextError.test(line) || nextThread.test(line)) {
      isChained ||= nextError.test(line);
      if (errors.at(-1)!.length > 0) errors.push([]);
    }
    const read = frameIn(line, above);
    above = line;
    if (!read) {
      if (!/^\s/.test(printed)) otherWords += line.split(/\s+/, mostOtherWords).filter(Boolean).length;
      continue;
    }
    isSure ||= read.isSure;
    const called = errors.at(-1)!.at(-1);
    if (read.called !== undefined && called && called.name === undefined)
      Object.assign(called, { name: read.called, isNameInferred: true });
    const key = `${read.frame.path}:${read.frame.line}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (read.isLast) errors.at(-1)!.unshift(read.frame);
    else errors.at(-1)!.push(read.frame);
  }
  const traces = errors.filter((frames) => frames.length > 0).map((frames) => frames.slice(0, mostFrames));
  if (seen.size < (isSure ? 1 : fewestFrames)) return undefined;
  return { errors: isChained ? traces.reverse() : traces, alone: otherWords <= mostOtherWords };
}

/** In JSON, a trace is one string. */
function linesOf(text: string): string[] {
  const lines = withoutColours(bothEnds(text)).split(/\r?\n/);
  return lines.flatMap((line) =>
    /^\s*["{]/.test(line) ? line.replace(/\\(["/])|\\t/g, "$1").split(/(?:\\r)?\\n/) : line,
  );
}

type ReadFrame = { frame: StackFrame; called?: string; isLast: boolean; isSure: boolean };

/** A line without a number after a colon, a bracket or the word "line" is no frame: most lines need no closer look. */
const hasLineNumber = /[:(]\d|line \d/;

function frameIn(line: string, above: string): ReadFrame | undefined {
  if (!hasLineNumber.test(line)) return undefined;
  for (const { pattern, isLast = false, isSure = false, nameIsAbove = false, namesCalled = false } of forms) {
    const groups = pattern.exec(line)?.groups;
    if (!groups) continue;
    const { scope = "", firefox } = groups;
    const printed = groups.path!.replace(/\\/g, "/").replace(/^\.\//, "");
    const path = scope === "" ? printed : `${packageFolder(scope)}${printed}`;
    const printedName = bareName(groups.name ?? firefox ?? (nameIsAbove ? above : undefined));
    const name = namesCalled ? undefined : printedName;
    const installed = installedIn(path);
    const frame = { path, line: Number(groups.line), ...(name && { name }), ...(installed && { installed }) };
    return { frame, ...(namesCalled && printedName && { called: printedName }), isLast, isSure };
  }
  return undefined;
}

/** `com.foo.Bar$Inner.` is in the folder of its package: names up to the first that begins with a capital. */
function packageFolder(scope: string): string {
  const names = scope.split(".").slice(0, -1);
  const type = names.findIndex((name) => /^[A-Z]/.test(name));
  return names
    .slice(0, type === -1 ? -1 : type)
    .map((name) => `${name}/`)
    .join("");
}

const anonymous = /^(?:<.*>|anonymous|main|block|module|init|invoke|call|apply|lambda.*|\d+)$/i;

/**
 * The function's own name of `Foo::bar`, `Object.<anonymous>`, `(*Store).run(0xc0)`, `Foo.bar/2`, `run$lambda$0`;
 * undefined of one without a name.
 */
function bareName(printed: string | undefined): string | undefined {
  if (printed === undefined) return undefined;
  const bare = printed
    .replace(/^\d{1,4}: +/, "")
    .replace(/\(0x[^\n]*$|\(\{[^\n]*$|\([^()\n]{0,300}\)$/, "")
    .replace(/\/\d{1,3}$/, "")
    .replace(/::h[0-9a-f]{16}$/, "");
  const last = bare.split(/::|->|[.#\\/]/).at(-1)!;
  const name = /^[\p{L}_$][\p{L}\p{N}_]{0,100}[!?]?/u.exec(last)?.[0];
  return name === undefined || anonymous.test(last) || anonymous.test(name) ? undefined : name;
}

const packages = [
  /^.{0,300}?\/(?:site|dist)-packages\/[^/]{1,100}/,
  /^.{0,300}\/node_modules\/(?:@[^/]{1,100}\/)?[^/]{1,100}/,
  /^node_modules\/(?:@[^/]{1,100}\/)?[^/]{1,100}/,
  /^.{0,300}\/gems\/[^/]{1,100}/,
  /^.{0,300}\/vendor\/[^/]{1,100}\/[^/]{1,100}/,
  /^.{0,300}\/pkg\/mod\/.{1,200}?@v[^/]{1,100}/,
  /^.{0,300}\/registry\/src\/[^/]{1,100}\/[^/]{1,100}/,
  /^\/(?:rustc|usr\/(?:local\/)?(?:lib|include|src|go))\/[^/]{1,100}(?:\/[^/]{1,100})?/,
];

function installedIn(path: string): string | undefined {
  for (const pattern of packages) {
    const found = pattern.exec(path)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}
