import { useEffect, useState } from "preact/hooks";
import type { Output } from "../../../client/client.ts";
import { perform } from "../api/request.ts";
import { Notice } from "../components/notice.tsx";
import { count } from "../components/numbers.ts";
import { useAnswer } from "./answer.ts";

/** Notices about the answer: low confidence, unknown words, failures, an incomplete index. */
export function Doubts() {
  const { result, again } = useAnswer();
  const isPoor = result !== undefined && (result.items.length === 0 || result.warnings.length > 0);
  const status = useIndexing(isPoor, again);
  if (!result) return null;
  const { notice, unknown, warnings } = result;
  const others = [...new Set(warnings)].filter((warning) => warning !== notice);
  return (
    <>
      {status?.indexing && (
        <Notice>
          <p>
            <strong>The workspace is still being indexed.</strong> {status.indexing.stage}:{" "}
            {count(status.indexing.done)}
            {status.indexing.total !== undefined && ` of ${count(status.indexing.total)}`}. The answer gets better by
            itself.
          </p>
        </Notice>
      )}
      {status && !status.indexing && status.items === 0 && (
        <Notice>
          <p>
            <strong>This workspace is empty.</strong> Nothing is indexed: there are no files here that Dossier reads,
            and no memories, notes or documents yet.
          </p>
        </Notice>
      )}
      {notice !== undefined && (
        <Notice tone="warning">
          <p>{notice}</p>
        </Notice>
      )}
      {notice === undefined && unknown.length > 0 && (
        <Notice>
          <p>
            Not in this workspace: <UnknownWords />
          </p>
        </Notice>
      )}
      {others.map((warning) => (
        <Notice key={warning} tone="warning">
          <p>{warning}</p>
        </Notice>
      ))}
    </>
  );
}

export function UnknownWords() {
  const { result } = useAnswer();
  return (
    <>
      {result?.unknown.map(({ word, near }, index) => (
        <span key={word}>
          {index > 0 && ", "}
          <b>{word}</b>
          {near.length > 0 && ` (near: ${near.join(", ")})`}
        </span>
      ))}
    </>
  );
}

type WorkspaceStatus = Output<"status">;

const pause = 1500;

/**
 * The workspace's status, fetched once when an answer warns or is empty, and again while the server indexes.
 * `onReady` is called when that ends: the question has a better answer then.
 */
function useIndexing(isAsked: boolean, onReady: () => void): WorkspaceStatus | undefined {
  const [status, setStatus] = useState<WorkspaceStatus>();
  useEffect(() => {
    if (!isAsked) {
      setStatus(undefined);
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMounted = true;
    let wasIndexing = false;
    const look = async () => {
      try {
        const next = await perform((client) => client.status());
        if (!isMounted) return;
        setStatus(next);
        if (next.indexing) {
          wasIndexing = true;
          timer = setTimeout(() => void look(), pause);
        } else if (wasIndexing) onReady();
      } catch {
        // The page says what is wrong with the server; it is looked at again later.
        if (isMounted) timer = setTimeout(() => void look(), 4 * pause);
      }
    };
    void look();
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [isAsked]);
  return status;
}
