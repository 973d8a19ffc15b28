import { useEffect, useState } from "preact/hooks";
import type { Output } from "../../../client/client.ts";
import { currentClient } from "../api/session.ts";

type IndexProgress = NonNullable<Output<"status">["indexing"]>;

/** Milliseconds between two looks. Most answers come before the first. */
const betweenLooks = 1000;

/** What the server reads meanwhile, for a question that waits until the index is up to date. */
export function useIndexProgress(isWaiting: boolean): IndexProgress | undefined {
  const [progress, setProgress] = useState<IndexProgress>();
  useEffect(() => {
    if (!isWaiting) return;
    const aborting = new AbortController();
    const look = async () => {
      const { signal } = aborting;
      // A failure is shown by the question, which waits for the same server.
      const status = await currentClient()
        .status({}, { signal })
        .catch(() => undefined);
      if (!signal.aborted) setProgress(status?.indexing);
    };
    const timer = setInterval(() => void look(), betweenLooks);
    return () => {
      clearInterval(timer);
      aborting.abort();
      setProgress(undefined);
    };
  }, [isWaiting]);
  return progress;
}
