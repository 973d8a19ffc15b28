import type { Item, Kind, SourceName } from "../item.ts";
import { hashText } from "../text/hash.ts";
import { decisionsOf } from "./code/decisions.ts";
import type { Extraction, Unit } from "./code/extraction.ts";
import { isTestPath } from "./code/test-paths.ts";

/** The file's own item first, then its units in the order of the extraction. */
export function itemsOf(path: string, extraction: Extraction, lines: string[], modified: number): Item[] {
  const source = sourceOf(extraction.kind);
  const hashOf = lineHasher(lines);
  const test = isTestPath(path) || undefined;
  const { language } = extraction;
  // Every property is set individually, because there are many items and copying common properties with `...` takes
  // several times as long.
  const file: Item = {
    source,
    path,
    language,
    changed: modified,
    id: itemId(source, path, extraction.kind, path, 0),
    kind: extraction.kind,
    name: path.slice(path.lastIndexOf("/") + 1),
    qualifiedName: path,
    startLine: 1,
    endLine: Math.max(1, lines.length),
    doc: extraction.doc,
    hash: hashOf(1, lines.length),
    test,
  };
  const decisions = source === "code" ? decisionsOf(extraction.units) : [];
  const ordinals = new Map<string, number>();
  const items = [file];
  for (const [index, unit] of extraction.units.entries()) {
    const key = `${unit.kind} ${unit.qualified}`;
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.set(key, ordinal + 1);
    const parent = unit.parent === undefined ? file : items[unit.parent + 1]!;
    // A code file may contain documentation: Perl's POD.
    const unitSource = unit.kind === "section" ? "file" : source;
    items.push({
      source: unitSource,
      path,
      language,
      changed: modified,
      id: itemId(unitSource, path, unit.kind, unit.qualified, ordinal),
      kind: unit.kind,
      name: unit.name,
      qualifiedName: `${path}::${unit.qualified}`,
      startLine: unit.startLine,
      endLine: unit.endLine,
      signature: unit.signature,
      doc: unit.doc,
      hash: hashOf(unit.startLine, unit.endLine),
      parent: parent.id,
      test: test ?? (isTestUnit(unit, parent) || undefined),
      decisions: decisions[index] || undefined,
    });
  }
  return items;
}

export function sourceOf(kind: Kind): SourceName {
  return kind === "document" || kind === "config" ? "file" : "code";
}

/** Stable while the name stays: edits and moved lines do not change it. */
export function itemId(source: SourceName, path: string, kind: Kind, qualified: string, ordinal: number): string {
  return `${source === "code" ? "cod" : "fil"}-${hashText([source, path, kind, qualified, String(ordinal)].join("\0"))}`;
}

export function hashLines(lines: string[], startLine: number, endLine: number): string {
  return hashText(lines.slice(startLine - 1, endLine).join("\n"));
}

/** `hashLines` for many ranges of the same lines: they are joined once, and each range is a slice. */
function lineHasher(lines: string[]): (startLine: number, endLine: number) => string {
  const text = lines.join("\n");
  const starts = new Uint32Array(lines.length + 1);
  for (let i = 0; i < lines.length; i++) starts[i + 1] = starts[i]! + lines[i]!.length + 1;
  return (startLine, endLine) => {
    const last = Math.min(endLine, lines.length);
    if (startLine > last) return hashText("");
    return hashText(text.slice(starts[startLine - 1], starts[last]! - 1));
  };
}

/** Tests inside a source file: Rust's `mod tests`, Zig's `test "..."`. */
function isTestUnit(unit: Unit, parent: Item): boolean {
  return parent.test === true || unit.test === true || (unit.kind === "module" && /^tests?$/.test(unit.name));
}
