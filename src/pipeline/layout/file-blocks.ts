import { type BlockState, endsBlock } from "../../formats/format.ts";
import { arrange, type FileBlock } from "./arrange.ts";
import { entryOf } from "./entry.ts";
import { importsOf, mayLead } from "./layout-parts.ts";
import type { LaidPage } from "./page.ts";
import type { Shown } from "./printed-parts.ts";

/** Adds one block for each file, in groups by section. */
export function addFileBlocks(page: LaidPage, shown: readonly Shown[]): void {
  const { format, look, printer } = page;
  const groups = arrange(shown, page.sectionOf, ({ unique }) => unique.lead === true);
  // With shares, scores of different sections are not comparable: sections are in the recipe's order.
  if (look.budget === "shares") groups.sort((a, b) => a.section - b.section);
  // A single group needs no heading.
  const hasHeadings = page.hasSections && groups.length > 1;
  let isFirst = true;
  for (const [index, { section, blocks, pointers }] of groups.entries()) {
    if (hasHeadings) page.add(format.groupOpening(look.sections[section]!.title, index === 0));
    for (const block of blocks) {
      if (block.path === undefined) page.parts.push(...printer.block(block.spans[0]!, [], isFirst));
      else addFile(page, block.path, block.spans, isFirst);
      isFirst = false;
    }
    for (const pointer of pointers) {
      page.parts.push(...printer.block(pointer, [], isFirst));
      isFirst = false;
    }
    if (hasHeadings) page.add(format.groupClosing);
  }
}

function addFile(page: LaidPage, path: string, spans: FileBlock["spans"], isFirst: boolean): void {
  const { look, printer, request } = page;
  const { file } = page.format;
  const lead = spans[0]!;
  const { language } = lead.unique.item;
  const imports = importsOf(spans);
  const head = { path, ...(language ? { language } : {}) };
  const opensWithItem = imports.length === 0 && mayLead(lead);
  if (opensWithItem) page.addFor(lead, file.opening({ ...head, lead: entryOf(lead, request, look) }, isFirst));
  else page.add(file.opening(head, isFirst));
  if (imports.length > 0) page.addFor(lead, file.imports(imports, language));
  let state: BlockState = opensWithItem ? "named" : "open";
  for (const [index, span] of spans.entries()) {
    page.parts.push(printer.span(span, spans[index - 1], index === 0, state));
    state = stateAfter(span);
  }
  page.add(file.closing(state));
}

/** Lists below a part end the file's block. */
function stateAfter({ unique: { uses }, printLevel: { rest } }: Shown): BlockState {
  return endsBlock({ ...(uses ? { uses } : {}), ...(rest === undefined ? {} : { rest }) }) ? "closed" : "open";
}
