import { useRequest } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { SourceBadge } from "../../components/item-name.tsx";
import { FailureNotice, Loading } from "../../components/notice.tsx";
import { count, decimal } from "../../components/numbers.ts";
import { type LeftOutItem, useAnswer } from "../../question/answer.ts";
import { toggleExclude, togglePin, useDecisions } from "../../question/choices.ts";
import { setInput } from "../../question/question.ts";
import { reasonWords } from "../../question/reasons.ts";
import { LinkPath } from "./link-path.tsx";
import { SignalTable } from "./signal-table.tsx";

/** Why one item is not there: `why` looks at this one item as closely as it can. */
export function LeftOutReasons({ item }: { item: LeftOutItem }) {
  const { question } = useAnswer();
  const { isExcluded } = useDecisions();
  const { since: _since, ...rest } = question;
  const input = { ...rest, query: question.query ?? "", item: item.id };
  const { result, failure, again } = useRequest(JSON.stringify(input), (client, signal) =>
    client.why(input, { signal }),
  );
  return (
    <article class="panel stack" aria-labelledby="item-title">
      <header>
        <SourceBadge source={item.source} />
        <h2 id="item-title">{result?.name ?? item.title}</h2>
        <p class="item-place">{result?.location ?? item.title}</p>
      </header>
      {failure && <FailureNotice failure={failure} again={again} />}
      <dl class="facts">
        <dt>Left out</dt>
        <dd>{reasonWords(item.reason)}</dd>
        {item.by !== undefined && (
          <>
            <dt>In its place</dt>
            <dd>
              <code>{item.by}</code>
            </dd>
          </>
        )}
        {result?.rank !== undefined && (
          <>
            <dt>Rank</dt>
            <dd class="number">
              {count(result.rank)} <span class="soft">of {count(result.of)} found</span>
            </dd>
          </>
        )}
        <dt>Score</dt>
        <dd class="number">{decimal(result?.score ?? item.score, 3)}</dd>
        {result && (
          <>
            <dt>Path</dt>
            <dd>
              <LinkPath via={result.via} to={result.name} />
            </dd>
          </>
        )}
        {result?.smallestBudget !== undefined && (
          <>
            <dt>Enters at</dt>
            <dd class="row">
              <b class="number">{count(result.smallestBudget)} tokens</b>
              <Button onClick={() => setInput("maxTokens", result.smallestBudget)}>Use this budget</Button>
            </dd>
          </>
        )}
      </dl>
      {!result && !failure && <Loading what="Looking closer" />}
      {result?.because && (
        <section>
          <h3>Signals</h3>
          <SignalTable because={result.because} score={result.score ?? item.score} />
        </section>
      )}
      {result && result.displacedBy.length > 0 && (
        <section>
          <h3>What took the room</h3>
          <ul class="small">
            {result.displacedBy.slice(0, 8).map(({ id, name, score, tokens }) => (
              <li key={id} class="row spread">
                <span>{name}</span>
                <span class="number soft">
                  {decimal(score)} · {count(tokens)} tokens
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div class="row">
        {isExcluded(item.id) ? (
          <Button onClick={() => toggleExclude(item.id)}>Allow it again</Button>
        ) : (
          <Button onClick={() => togglePin(item.id)}>Pin it</Button>
        )}
      </div>
    </article>
  );
}
