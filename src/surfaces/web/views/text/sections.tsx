import { count } from "../../components/numbers.ts";
import type { AnswerDocument } from "../../question/answer.ts";

export type DocumentSection = { title: string; tokens: number; items: number; line: number };

/** Tokens by section, and the line at which each begins. Parts without an item are the document's frame. */
export function sectionsOf({ parts = [], text }: AnswerDocument): DocumentSection[] {
  const sections = new Map<string, DocumentSection & { ids: Set<string> }>();
  let [offset, line, frame] = [0, 0, 0];
  for (const { tokens, characters, item, section = "" } of parts) {
    if (item === undefined) frame += tokens;
    else {
      const entry = sections.get(section) ?? { title: section, tokens: 0, items: 0, line, ids: new Set<string>() };
      entry.tokens += tokens;
      entry.ids.add(item);
      sections.set(section, entry);
    }
    for (let at = text.indexOf("\n", offset); at >= 0 && at < offset + characters; at = text.indexOf("\n", at + 1))
      line++;
    offset += characters;
  }
  const listed = [...sections.values()].map(({ ids, ...section }) => ({ ...section, items: ids.size }));
  return frame === 0 ? listed : [...listed, { title: "Frame", tokens: frame, items: 0, line: 0 }];
}

type Props = { sections: DocumentSection[]; used: number; onChoose: (line: number) => void };

export function SectionList({ sections, used, onChoose }: Props) {
  return (
    <section class="sections" aria-labelledby="sections-title">
      <h2 id="sections-title">Tokens by section</h2>
      <ul>
        {sections.map(({ title, tokens, items, line }) => (
          <li key={title}>
            <button type="button" onClick={() => onChoose(line)} disabled={items === 0}>
              <span>{title === "" ? "Items" : title}</span>
              {items > 0 && <span class="soft number">{count(items)}</span>}
              <b class="number">{count(tokens)}</b>
            </button>
          </li>
        ))}
        <li class="total">
          <span>Total</span>
          <b class="number">{count(used)}</b>
        </li>
      </ul>
    </section>
  );
}
