import { Bar } from "../../components/bar.tsx";
import { ItemName } from "../../components/item-name.tsx";
import { decimal } from "../../components/numbers.ts";
import { Paged } from "../../components/paged.tsx";
import type { DocumentItem } from "../../question/answer.ts";
import { scoreParts } from "../../question/signals.ts";

type Props = { items: DocumentItem[]; chosen?: string; onChoose: (id: string) => void };

export function RankedList({ items, chosen, onChoose }: Props) {
  return (
    <Paged rows={items}>
      {(page) => (
        <ol class="picks">
          {page.map((item) => (
            <li key={item.id}>
              <button type="button" class="pick" aria-current={item.id === chosen} onClick={() => onChoose(item.id)}>
                <span class="number soft">{item.rank}</span>
                <ItemName item={item} />
                <span class="number">{decimal(item.score)}</span>
                <Bar parts={scoreParts(item.because, item.score)} whole={1} label={`Score ${decimal(item.score)}`} />
              </button>
            </li>
          ))}
        </ol>
      )}
    </Paged>
  );
}
