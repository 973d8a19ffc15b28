import { useEffect, useState } from "preact/hooks";
import type { RequestFailure } from "../../../client/client.ts";
import { Button } from "./button.tsx";
import { FailureNotice, Notice } from "./notice.tsx";

/** An action that was done, and the one that undoes it. */
export type Done = { sentence: string; undo?: () => Promise<unknown> };

export type Doing = {
  done?: Done;
  failure?: RequestFailure;
  busy: boolean;
  /** Does something once, says so, and offers to take it back. */
  run: (work: () => Promise<Done>) => void;
  dismiss: () => void;
};

/** Milliseconds that the way back is offered. */
const patience = 20_000;

export function useDoing(after: () => void): Doing {
  const [done, setDone] = useState<Done>();
  const [failure, setFailure] = useState<RequestFailure>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(undefined), patience);
    return () => clearTimeout(timer);
  }, [done]);
  const attempt = async (work: () => Promise<Done>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      setDone(await work());
      after();
    } catch (error) {
      setDone(undefined);
      setFailure(error as RequestFailure);
    }
    setBusy(false);
  };
  return { done, failure, busy, run: (work) => void attempt(work), dismiss: () => setDone(undefined) };
}

/** Says what was done, where the reader looks, with the way back. */
export function DoneNotice({ doing }: { doing: Doing }) {
  const { done, failure, busy, run, dismiss } = doing;
  if (failure) return <FailureNotice failure={failure} />;
  if (!done) return null;
  const { undo } = done;
  return (
    <Notice tone="good">
      <p>{done.sentence}</p>
      {undo && (
        <Button
          disabled={busy}
          onClick={() =>
            run(async () => {
              await undo();
              return { sentence: "Taken back." };
            })
          }
        >
          Undo
        </Button>
      )}
      <Button kind="quiet" onClick={dismiss}>
        Dismiss
      </Button>
    </Notice>
  );
}
