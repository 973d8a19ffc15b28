import { Bar } from "../components/bar.tsx";
import { Button } from "../components/button.tsx";
import { ItemName, SourceBadge } from "../components/item-name.tsx";
import { Empty } from "../components/notice.tsx";
import { count, decimal } from "../components/numbers.ts";
import { type DocumentItem, useAnswer } from "../question/answer.ts";
import { isAsked, setInput } from "../question/question.ts";
import { useRecent } from "../question/recent.ts";
import { scoreParts } from "../question/signals.ts";
import { addressOf } from "../shell/address.ts";
import { followLink, useLocation } from "../shell/router.ts";

/** The items found, in order of relevance. */
export function AskView() {
  const { result, question, loading } = useAnswer();
  if (!isAsked(question)) return <Start />;
  if (!result) return null;
  if (result.items.length === 0 && !loading) return <NothingFound />;
  const ranked = [...result.items].sort((a, b) => a.rank - b.rank);
  return (
    <div class="results">
      <div class="result result-head" aria-hidden="true">
        <span class="number">#</span>
        <span>Source</span>
        <span>Item</span>
        <span>Level</span>
        <span>Signals</span>
        <span class="number">Score</span>
        <span class="number">Tokens</span>
      </div>
      <ol aria-label="Items of the answer, best first">
        {ranked.map((item) => (
          <Result key={item.id} item={item} />
        ))}
      </ol>
    </div>
  );
}

function Result({ item }: { item: DocumentItem }) {
  const { state } = useLocation();
  const chosen = new URLSearchParams(state);
  chosen.set("item", item.id);
  return (
    <li>
      <a class="result" href={addressOf("why", chosen)} onClick={(event) => followLink(event, "why", chosen)}>
        <span class="number result-rank">{item.rank}</span>
        <SourceBadge source={item.source} />
        <ItemName item={item} />
        <span class="result-level soft">{item.level}</span>
        <span class="result-bar">
          <Bar parts={scoreParts(item.because, item.score)} whole={1} label={`Score ${decimal(item.score)}`} />
        </span>
        <span class="number result-score">{decimal(item.score)}</span>
        <span class="number result-tokens">{count(item.tokens)}</span>
      </a>
    </li>
  );
}

function NothingFound() {
  return (
    <Empty title="Nothing was found">
      <p>Try other words, the name of a function or a file, or ask more sources.</p>
    </Empty>
  );
}

function Start() {
  const { questions, forgetAll } = useRecent();
  return (
    <Empty title="What would a model be given?">
      <p>Ask a question about this workspace. The answer comes as you type, within its token budget.</p>
      <p class="small">
        <kbd>/</kbd> goes to the question, <kbd>Esc</kbd> leaves it, <kbd>1</kbd> to <kbd>9</kbd> change the view.
      </p>
      {questions.length > 0 && (
        <section class="recent" aria-labelledby="recent-title">
          <div class="row spread">
            <h3 id="recent-title">Recent questions</h3>
            <Button kind="quiet" onClick={forgetAll}>
              Clear
            </Button>
          </div>
          <ul>
            {questions.map((text) => (
              <li key={text}>
                <button class="recent-question" type="button" onClick={() => setInput("query", text)}>
                  {text}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Empty>
  );
}
