/** Finds `services.web.ports` where it is written as three keys, each below the other. */
const dottedPath = /^[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)+$/u;
/** A line that is filled by a longer key or value is data. */
const longestLine = 1000;
/**
 * In characters. For a key below many others only the end of the path is compared, so that deep nesting costs no more
 * than its lines.
 */
const longestKey = 500;

export function isDottedPath(text: string): boolean {
  return dottedPath.test(text);
}

/** The 1-based lines of configuration whose key, with those around it, is the asked path or ends with it. */
export function nestedKeyLines(lines: readonly string[], language: string, path: string): number[] {
  const keys = language === "toml" || language === "ini" ? sectionKeys(lines) : indentedKeys(lines);
  return keys.flatMap(({ line, key }) => (key === path || key.endsWith(`.${path}`) ? [line] : []));
}

type Key = { line: number; key: string };

/** YAML, and JSON as it is usually printed: indentation shows what is nested. */
function indentedKeys(lines: readonly string[]): Key[] {
  const keys: Key[] = [];
  const above: { indent: number; key: string }[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.length > longestLine) continue;
    const match = /^(\s*(?:- +)?)(["']?)([\p{L}\p{N}_$./-]+)\2\s*:(?:\s|$)/u.exec(line);
    if (!match) continue;
    const indent = match[1]!.length;
    while (above.length > 0 && above.at(-1)!.indent >= indent) above.pop();
    const outer = above.at(-1);
    const key = (outer ? `${outer.key}.${match[3]!}` : match[3]!).slice(-longestKey);
    above.push({ indent, key });
    keys.push({ line: index + 1, key });
  }
  return keys;
}

/** TOML and INI: `[section]`, then its keys. */
function sectionKeys(lines: readonly string[]): Key[] {
  const keys: Key[] = [];
  let section = "";
  for (const [index, line] of lines.entries()) {
    if (line.length > longestLine) continue;
    const header = /^\s*\[{1,2}\s*([^[\]]+?)\s*\]{1,2}/.exec(line)?.[1];
    if (header !== undefined) section = header.replace(/["']|\s*(?=\.)|(?<=\.)\s*/g, "");
    const own = /^\s*(["']?)([\p{L}\p{N}_$.-]+)\1\s*[=:]/u.exec(line)?.[2];
    const key = header === undefined ? own && [section, own].filter(Boolean).join(".") : section;
    if (key) keys.push({ line: index + 1, key });
  }
  return keys;
}
