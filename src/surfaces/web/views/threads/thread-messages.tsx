import type { Output } from "../../../../client/client.ts";
import { usePages } from "../../api/pages.ts";
import { useRequest } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { FailureNotice, Loading } from "../../components/notice.tsx";
import { counted } from "../../components/numbers.ts";
import { Time } from "../../components/time.tsx";
import { restate, useLocation } from "../../shell/router.ts";
import { TurnContext } from "./turn-context.tsx";

export type ThreadMessage = NonNullable<Output<"thread">["messages"]>[number];

const pageSize = 30;

type Props = { thread: string; onBack: () => void; onDelete?: () => void };

/** The messages of a thread, the newest last; earlier ones are loaded on demand. */
export function ThreadMessages({ thread, onBack, onDelete }: Props) {
  const { state } = useLocation();
  const turn = state.get("turn") ?? undefined;
  const head = useRequest(`thread ${thread}`, (client, signal) =>
    client.thread({ step: "show", thread, limit: 0 }, { signal }),
  );
  const pages = usePages(`messages ${thread}`, async (client, after, signal) => {
    const {
      messages = [],
      next,
      thread: info,
    } = await client.thread({ step: "show", thread, limit: pageSize, after }, { signal });
    // Each page has older messages than the one before, in chronological order.
    return { entries: [...messages].reverse(), total: info.messages, next };
  });
  const messages = [...(pages.entries ?? [])].reverse();
  const info = head.result?.thread;
  const show = (id: string | undefined) =>
    restate((next) => (id === undefined ? next.delete("turn") : next.set("turn", id)));
  return (
    <>
      <div class="row spread thread-head">
        <div>
          <button class="link-button thread-back small" type="button" onClick={onBack}>
            All threads
          </button>
          <h2>{info?.title ?? thread}</h2>
          {info && (
            <p class="small soft">
              {counted(info.messages, "message")} · <span class="mono">{info.id}</span>
              {info.parent !== undefined && ` · branches off ${info.parent}`}
            </p>
          )}
        </div>
        {onDelete && (
          <Button kind="danger" onClick={onDelete}>
            Delete
          </Button>
        )}
      </div>
      {pages.failure && <FailureNotice failure={pages.failure} again={pages.again} />}
      {!pages.entries && !pages.failure && <Loading />}
      {pages.more && (
        <p class="record-more">
          <Button onClick={pages.more} disabled={pages.loading}>
            Show earlier messages
          </Button>
        </p>
      )}
      <ol class="messages">
        {messages.map((message, at) => (
          <li key={message.id} class={`message ${message.role}`}>
            <MessageHead message={message} />
            <p class="message-text">{message.text}</p>
            {message.role === "user" && (
              <Button pressed={turn === message.id} onClick={() => show(turn === message.id ? undefined : message.id)}>
                {turn === message.id ? "Hide its context" : "Context of this turn"}
              </Button>
            )}
            {turn === message.id && <TurnContext thread={thread} message={message} reply={replyTo(messages, at)} />}
          </li>
        ))}
      </ol>
      {pages.entries?.length === 0 && <p class="soft">Nothing was said yet.</p>}
    </>
  );
}

/** The next message after it, unless a person wrote it. */
function replyTo(messages: readonly ThreadMessage[], at: number): ThreadMessage | undefined {
  const next = messages[at + 1];
  return next?.role === "assistant" ? next : undefined;
}

function MessageHead({ message }: { message: ThreadMessage }) {
  return (
    <p class="row message-head">
      <b>{message.speaker ?? message.role}</b>
      {message.speaker !== undefined && <span class="badge">{message.role}</span>}
      <span class="small soft">
        <Time iso={message.at} />
      </span>
      <span class="small soft number">#{message.number}</span>
    </p>
  );
}
