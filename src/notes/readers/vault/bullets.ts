import { draft, headingOf, type NoteDraft } from "./note-draft.ts";
import { type Zones, zone } from "./verbatim-zones.ts";

const bullet = /^([ \t]*)-(?:[ \t](.*))?$/s;

type Open = { indent: number; draft: NoteDraft };

/**
 * The outline of a Logseq page: every `-` is a block, and the lines up to the next one belong to it. A block is nested when it is
 * indented by more characters than the one above. A heading without a bullet contains what follows it.
 */
export function readBullets(lines: readonly string[], start: number, zones: Zones): NoteDraft[] {
  const page = draft("page", 0, undefined);
  const drafts = [page];
  const sections: NoteDraft[] = [page];
  let open: Open[] = [];
  for (let i = start; i < lines.length; i++) {
    const line = lines[i]!;
    const structured = zones.of[i] !== zone.verbatim && zones.of[i] !== zone.held;
    const item = structured ? bullet.exec(line) : null;
    const heading = structured && !item ? headingOf(line) : undefined;
    if (item) {
      const indent = item[1]!.length;
      while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
      const block = draft("item", i, open.at(-1)?.draft ?? sections.at(-1)!);
      block.body.push({ line: i, text: (item[2] ?? "").trimStart() });
      open.push({ indent, draft: block });
      drafts.push(block);
    } else if (heading && !/^[ \t]/.test(line)) {
      open = [];
      while (sections.length > 1 && sections.at(-1)!.level >= heading.level) sections.pop();
      const section = draft("section", i, sections.at(-1)!, heading.text, heading.level);
      sections.push(section);
      drafts.push(section);
    } else {
      const top = open.at(-1);
      const owner = top?.draft ?? sections.at(-1)!;
      owner.body.push({ line: i, text: top ? withoutIndent(line, top.indent + 2) : line });
    }
  }
  return drafts;
}

/** Lines of a block are indented two characters more than its bullet; others are taken as they are. */
function withoutIndent(line: string, width: number): string {
  return line.slice(0, width).trim() === "" ? line.slice(width) : line.trimStart();
}
