import type { Output } from "../../../../client/client.ts";
import { useMay } from "../../api/caller.ts";
import { useRequest } from "../../api/request.ts";
import { Bar } from "../../components/bar.tsx";
import { Feedback } from "../../components/feedback.tsx";
import { FailureNotice, Loading, Notice } from "../../components/notice.tsx";
import { count, counted, decimal, percent } from "../../components/numbers.ts";
import type { ThreadMessage } from "./thread-messages.tsx";

type Context = Output<"prime_context">;
type ContextItem = Context["items"][number];

const sources: Record<ContextItem["type"], string> = {
  file: "document",
  chunk: "document",
  message: "message",
  reference: "reference",
};

/**
 * The context that a model would be given to answer a message, from the messages before it and the library as it is
 * now.
 */
type Props = {
  thread: string;
  message: ThreadMessage;
  /** The reply to the message, if there is one. */
  reply?: ThreadMessage;
};

export function TurnContext({ thread, message, reply }: Props) {
  const { result, failure, again } = useRequest(`turn ${thread} ${message.id}`, (client, signal) =>
    client.primeContext({ thread, message: message.text, before: message.id }, { signal }),
  );
  const mayWrite = useMay("write");
  return (
    <section class="turn" aria-label={`Context of message ${message.number}`}>
      {failure && <FailureNotice failure={failure} again={again} />}
      {!result && !failure && <Loading what="Building the context" />}
      {result && (
        <>
          <p class="small turn-summary">
            <span>
              <b class="number">{count(result.totalTokens)}</b> of {count(result.tokens.budget)} tokens
            </span>
            <span>
              {count(result.stats.explicitCount)} named, {count(result.stats.searchCount)} found,{" "}
              {count(result.stats.historyCount)} said before
            </span>
            <span>{count(result.stats.excludedCount)} left out</span>
            <span>confidence {percent(result.confidence)}</span>
          </p>
          <Bar
            whole={result.tokens.budget}
            label={`${count(result.totalTokens)} of ${count(result.tokens.budget)} tokens used`}
            parts={result.items.map(({ id, type, tokens }) => ({
              name: id,
              amount: tokens,
              colour: `source-${sources[type]}`,
            }))}
          />
          <p class="small soft">
            Made anew: contexts are not kept. It is built from what was said before this message and from documents as
            they are now, so it may differ from what the model was given then.
            {reply && " What its reply really cited is marked."}
          </p>
          {result.warnings.map((warning) => (
            <Notice key={warning} tone="warning">
              <p>{warning}</p>
            </Notice>
          ))}
          {result.items.length === 0 && <p class="soft small">Nothing was found that helps with it.</p>}
          <ol class="turn-items">
            {result.items.map((item) => (
              <li key={item.id}>
                <TurnItem
                  item={item}
                  context={result.contextId}
                  mayWrite={mayWrite}
                  isCited={isCited(item.id, result.citations, reply)}
                />
              </li>
            ))}
          </ol>
          <details>
            <summary class="small">The whole text, as a model reads it</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre class="turn-text" tabIndex={0}>
              {result.text}
            </pre>
          </details>
          {result.excluded.length > 0 && <LeftOut excluded={result.excluded} />}
        </>
      )}
    </section>
  );
}

/** By the citation in the reply's own text, or because the application told the service (`cited`). */
function isCited(id: string, citations: Context["citations"], reply: ThreadMessage | undefined): boolean {
  const citation = citations.find(({ itemId }) => itemId === id);
  if (!citation) return false;
  return citation.usedInResponse || reply?.text.includes(citation.id) === true;
}

type ItemProps = { item: ContextItem; context: string; mayWrite: boolean; isCited: boolean };

function TurnItem({ item, context, mayWrite, isCited }: ItemProps) {
  return (
    <>
      <div class="row">
        <span class={`source source-${sources[item.type]}`}>{item.type}</span>
        <span class="mono turn-place">{item.source}</span>
        <span class="badge">{item.level}</span>
        {isCited && <span class="badge good">cited in the reply</span>}
        <span class="small soft number">{counted(item.tokens, "token")}</span>
        <span class="small soft number" title={reasons(item)}>
          relevance {decimal(item.relevance)}
        </span>
        {mayWrite && <Feedback item={item.id} name={item.source} context={context} />}
      </div>
      <p class="small turn-excerpt">{item.excerpt}</p>
    </>
  );
}

function reasons({ because }: ContextItem): string {
  return Object.entries(because)
    .map(([signal, value]) => `${signal} ${value.toFixed(2)}`)
    .join(", ");
}

const mostLeftOut = 50;

function LeftOut({ excluded }: { excluded: Context["excluded"] }) {
  return (
    <details>
      <summary class="small">{counted(excluded.length, "item")} left out, and why</summary>
      <ul class="left-out small">
        {excluded.slice(0, mostLeftOut).map(({ id, title, reason, score }) => (
          <li key={id}>
            <span class="badge">{reason}</span> {title} <span class="soft number">{decimal(score)}</span>
          </li>
        ))}
        {excluded.length > mostLeftOut && <li class="soft">and {count(excluded.length - mostLeftOut)} more</li>}
      </ul>
    </details>
  );
}
