/** The text of comments and docstrings without their marks; line breaks are kept. */
export function withoutMarks(raw: string): string {
  const text = raw.trim();
  if (text.startsWith("<#")) return tidy(text.slice(2).replace(/#>$/, ""));
  if (text.startsWith("/*") || text.startsWith("(*") || text.startsWith("{-") || text.startsWith("--[["))
    return block(text);
  if (/^<!--/.test(text)) return tidy(text.replace(/^<!--+/, "").replace(/--+>$/, ""));
  if (/^=begin\b/.test(text)) return tidy(text.replace(/^=begin[^\n]*\n?/, "").replace(/\n?=end\s*$/, ""));
  const quotes = /^[a-zA-Z]{0,2}("""|'''|"|')/.exec(text);
  if (quotes) {
    const closed = text.endsWith(quotes[1]!) && text.length >= quotes[0].length + quotes[1]!.length;
    return tidy(text.slice(quotes[0].length, closed ? -quotes[1]!.length : undefined));
  }
  return tidy(text.replace(/^[ \t]*(?:\/\/[/!]?|#+(?:!|'(?!\S))?|--+(?:[ \t]*[|^])?|;+|%+|'|rem\b)[ \t]?/gim, ""));
}

function block(text: string): string {
  const inner = text.replace(/^(?:\/\*+!?|\(\*+|\{-\|?|--\[\[)/, "").replace(/(?:\*+\/|\*+\)|-\}|\]\])$/, "");
  return tidy(inner.replace(/^[ \t]*\*+(?:[ \t]|$)?/gm, ""));
}

/** Removes common indentation, blank lines at both ends, and XML doc tags but not their content. */
function tidy(text: string): string {
  const plain = /<\/?(?:summary|param|returns|remarks|see|c|para)\b/.test(text) ? withoutTags(text) : text;
  const lines = plain.split("\n").map((line) => line.trimEnd());
  while (lines.length > 0 && lines[0] === "") lines.shift();
  while (lines.length > 0 && lines.at(-1) === "") lines.pop();
  const indents = lines.slice(1).flatMap((line) => (line.trim() === "" ? [] : [line.length - line.trimStart().length]));
  const indent = indents.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  return lines
    .map((line, i) => (i === 0 ? line.trimStart() : line.slice(Number.isFinite(indent) ? indent : 0)))
    .join("\n");
}

function withoutTags(text: string): string {
  return text
    .replace(/<(?:see|seealso|paramref|typeparamref)\s+\w+="([^"]*)"\s*\/>/g, "$1")
    .replace(/<(?:param|typeparam|exception)\s+\w+="([^"]*)"\s*>/g, "$1: ")
    .replace(/<\/?[a-zA-Z][^<>]*>/g, "");
}
