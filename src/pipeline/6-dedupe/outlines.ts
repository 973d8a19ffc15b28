import { signatureSpan } from "../../text/truncation/signature.ts";
import { contains, ownSpan, type Unique } from "../unique.ts";

/** Text that says nothing by itself: a closing bracket or word, a visibility modifier, an import. */
const saysNothing =
  /^\s*(?:[)\]}]+[;,]?|end\b.*|(?:public|private|protected|signals|slots)\b[\w ]*:|(?:use|import|from|using)\s.*|(?:\/\/|#|--)\s*\W*)\s*(?:\/\/.*)?$/;
/** The part of a head besides the name: base classes, the trait that is implemented. */
const heritage = /\b(?:for|extends|implements|with)\b|\(\s*\w|[<:]\s*\w/;

/**
 * Whether the outline of a container says more than its name, which is printed with its parts: a doc comment, fields,
 * base classes. If its inner units are not known, it does not count.
 */
export function outlineTells(container: Unique): boolean {
  const { parts, item, startLine } = container;
  if (!parts) return true;
  const own = ownSpan(container);
  const lines = container.lines.slice(own.startLine - startLine, own.endLine - startLine + 1);
  const head = signatureSpan(lines, item.language);
  const inPart = new Set<number>();
  for (const part of parts)
    for (let line = part.startLine; line <= part.endLine; line++) inPart.add(line - own.startLine);
  const tells = (line: string, at: number) =>
    line.trim() !== "" && !inPart.has(at) && (at < head.start || at >= head.end) && !saysNothing.test(line);
  return lines.some(tells) || heritage.test(nameOnwards(lines.slice(head.start, head.end).join(" "), item.name));
}

/** A head from the name of what it declares on, without the types in angle brackets and their bounds. */
function nameOnwards(head: string, name: string): string {
  const ofTrait = /\bimpl\b.*\bfor\s/.test(head) ? "for it" : "";
  const rest = head.slice(head.indexOf(name) + name.length).replace(/\bwhere\b.*/, "");
  return ofTrait + rest.replace(/<[^<>]*>/g, "").replace(/<[^<>]*>/g, "");
}

/** A part without its context lines that the outline around it prints. */
export function besideOutline(part: Unique, outline: Unique): Unique {
  const own = ownSpan(part);
  if (!outline.parts || !contains(ownSpan(outline), part)) return part;
  const lines = part.lines.slice(own.startLine - part.startLine, own.endLine - part.startLine + 1);
  return { ...part, ...own, lines };
}
