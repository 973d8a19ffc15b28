import { Legend } from "../../components/bar.tsx";
import { count, percent } from "../../components/numbers.ts";
import type { AnswerDocument, DocumentItem } from "../../question/answer.ts";

/**
 * The whole budget as one bar: a segment for each item, the document's own frame, and what is left. Segments are
 * animated when the budget changes, but not while one types: then they are others with every letter.
 */
export function BudgetBar({ document, isMoving }: { document: AnswerDocument; isMoving: boolean }) {
  const { tokens, items } = document;
  const ofItems = items.reduce((sum, item) => sum + item.tokens, 0);
  const content = items.reduce((sum, item) => sum + (item.content ?? 0), 0);
  const frame = tokens.used - content;
  const outside = Math.max(0, tokens.used - ofItems);
  const whole = Math.max(tokens.budget, tokens.used);
  const share = (amount: number) => `${(100 * amount) / whole}%`;
  const sources = [...new Set(items.map(({ source }) => source))];
  const ofSource = (source: string) =>
    items.filter((item) => item.source === source).reduce((sum, item) => sum + (item.content ?? 0), 0);
  return (
    <figure class="budget-figure">
      <ul
        class={`budget-bar ${isMoving ? "moving" : ""}`}
        aria-label={`${count(tokens.used)} of ${count(tokens.budget)} tokens are used`}
      >
        {items.map((item) => (
          <Segment key={item.id} item={item} width={share(item.tokens)} />
        ))}
        {outside > 0 && (
          <li
            class="segment frame-colour"
            style={{ width: share(outside) }}
            title={`Frame of the document: ${count(outside)}`}
          >
            <span class="unseen">Frame of the document: {count(outside)} tokens</span>
          </li>
        )}
      </ul>
      <dl class="figures">
        <Figure name="Used" value={count(tokens.used)} note={percent(tokens.used / tokens.budget)} />
        <Figure name="Content" value={count(content)} note={percent(content / Math.max(1, tokens.used))} />
        <Figure name="Frame" value={count(frame)} note={percent(frame / Math.max(1, tokens.used))} />
        <Figure
          name="Free"
          value={count(Math.max(0, tokens.budget - tokens.used))}
          note={`of ${count(tokens.budget)}`}
        />
        <Figure name="Counted by" value={tokens.encoding} note={tokens.exact ? "exact" : "an estimate"} />
      </dl>
      <Legend
        parts={[
          ...sources.map((source) => ({ name: source, colour: `source-${source}`, amount: count(ofSource(source)) })),
          { name: "frame", colour: "frame-colour", amount: count(frame) },
        ]}
      />
    </figure>
  );
}

/** Its own text in full colour, its headings and fences paler. */
function Segment({ item, width }: { item: DocumentItem; width: string }) {
  const { content = item.tokens, tokens, name, level, source } = item;
  const label = `${name}: ${count(tokens)} tokens, ${count(content)} of them content, ${level}`;
  return (
    <li class={`segment source-${source}`} style={{ width }} title={label}>
      <span class="unseen">{label}</span>
      <span class="segment-content" style={{ width: `${(100 * content) / Math.max(1, tokens)}%` }} />
    </li>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b class="number">{value}</b> <span class="soft number">{note}</span>
      </dd>
    </div>
  );
}
