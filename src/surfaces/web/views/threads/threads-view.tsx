import "../shared.css";
import "./threads.css";
import type { Output } from "../../../../client/client.ts";
import { useMay } from "../../api/caller.ts";
import { usePages } from "../../api/pages.ts";
import { perform } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { Empty, FailureNotice, Loading } from "../../components/notice.tsx";
import { counted } from "../../components/numbers.ts";
import { Time } from "../../components/time.tsx";
import { type Done, DoneNotice, useDoing } from "../../components/undo.tsx";
import { restate, useLocation } from "../../shell/router.ts";
import { ThreadMessages } from "./thread-messages.tsx";

type ListedThread = Output<"threads">["threads"][number];

/** Conversations that applications keep here, and what each turn of them was given. */
export function ThreadsView() {
  const { state } = useLocation();
  const find = state.get("find") ?? "";
  const deleted = state.get("show") === "deleted";
  const chosen = state.get("thread") ?? undefined;
  const pages = usePages(JSON.stringify(["threads", find, deleted]), async (client, after, signal) => {
    const { threads, total, next } = await client.threads({ query: find, deleted, after }, { signal });
    return { entries: threads, total, next };
  });
  const doing = useDoing(pages.again);
  const mayWrite = useMay("write");
  const { entries, failure, more, again, loading } = pages;
  const isEmpty = entries?.length === 0 && find === "" && !deleted;
  return (
    <>
      <div class="view-head">
        <h1>Threads</h1>
      </div>
      <DoneNotice doing={doing} />
      {isEmpty ? (
        <Empty title="No conversation is kept here yet">
          <p>
            An application keeps them with <code>/v1/thread</code> and <code>/v1/say</code>; transcripts are read with{" "}
            <code>dossier thread import</code>.
          </p>
        </Empty>
      ) : (
        <div class={`threads ${chosen === undefined ? "" : "chosen"}`}>
          <section class="thread-list" aria-label="Threads">
            <ThreadFilter find={find} deleted={deleted} />
            {failure && <FailureNotice failure={failure} again={again} />}
            {!entries && !failure && <Loading />}
            {entries?.length === 0 && <p class="soft small">No such thread.</p>}
            <ul>
              {entries?.map((thread) => (
                <li key={thread.id}>
                  {deleted ? (
                    <DeletedThread
                      thread={thread}
                      busy={doing.busy}
                      onRestore={mayWrite ? () => doing.run(() => restoreThread(thread.id)) : undefined}
                    />
                  ) : (
                    <ThreadLink thread={thread} isChosen={thread.id === chosen} />
                  )}
                </li>
              ))}
            </ul>
            {more && (
              <Button onClick={more} disabled={loading}>
                Show more
              </Button>
            )}
          </section>
          <section class="thread" aria-label="Messages">
            {chosen === undefined || deleted ? (
              <Empty title="Choose a thread">
                <p>Each turn of it shows what a model would be given to answer it.</p>
              </Empty>
            ) : (
              <ThreadMessages
                key={chosen}
                thread={chosen}
                onBack={() => choose(undefined)}
                onDelete={mayWrite ? () => doing.run(() => deleteThread(chosen)) : undefined}
              />
            )}
          </section>
        </div>
      )}
    </>
  );
}

function choose(id: string | undefined): void {
  restate((next) => {
    next.delete("turn");
    if (id === undefined) next.delete("thread");
    else next.set("thread", id);
  });
}

async function deleteThread(id: string): Promise<Done> {
  await perform((client) => client.thread({ step: "delete", thread: id }));
  choose(undefined);
  return {
    sentence: "The thread is deleted.",
    undo: () => perform((client) => client.thread({ step: "restore", thread: id })),
  };
}

async function restoreThread(id: string): Promise<Done> {
  await perform((client) => client.thread({ step: "restore", thread: id }));
  return {
    sentence: "The thread is back.",
    undo: () => perform((client) => client.thread({ step: "delete", thread: id })),
  };
}

function ThreadFilter({ find, deleted }: { find: string; deleted: boolean }) {
  return (
    <search class="row">
      <input
        type="search"
        aria-label="Find threads"
        placeholder="Find by title"
        value={find}
        onInput={(event) => {
          const { value } = event.currentTarget;
          restate((next) => (value === "" ? next.delete("find") : next.set("find", value)));
        }}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={deleted}
          onChange={(event) => {
            const on = event.currentTarget.checked;
            restate((next) => (on ? next.set("show", "deleted") : next.delete("show")));
          }}
        />
        Deleted
      </label>
    </search>
  );
}

type DeletedProps = { thread: ListedThread; busy: boolean; onRestore: (() => void) | undefined };

function DeletedThread({ thread, busy, onRestore }: DeletedProps) {
  return (
    <div class="thread-row">
      <span class="thread-title">{thread.title}</span>
      {onRestore && (
        <Button disabled={busy} onClick={onRestore}>
          Restore
        </Button>
      )}
    </div>
  );
}

function ThreadLink({ thread, isChosen }: { thread: ListedThread; isChosen: boolean }) {
  const { id, title, messages, changed, parent } = thread;
  return (
    <button type="button" class="thread-row" aria-current={isChosen ? "true" : undefined} onClick={() => choose(id)}>
      <span class="thread-title">{title}</span>
      <span class="small soft">
        {counted(messages, "message")} · <Time iso={changed} />
        {parent !== undefined && " · branch"}
      </span>
    </button>
  );
}
