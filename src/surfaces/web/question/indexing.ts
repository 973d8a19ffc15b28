import { useEffect, useState } from "preact/hooks";
import type { Output } from "../../../client/client.ts";
import { perform } from "../api/request.ts";

type WorkspaceStatus = Output<"status">;

const pause = 1500;

/**
 * What the workspace holds, asked once when an answer warns or is empty, and again while the server indexes. `onReady` is told when that
 * ends: the question has a better answer then.
 */
export function useIndexing(isAsked: boolean, onReady: () => void): WorkspaceStatus | undefined {
  const [status, setStatus] = useState<WorkspaceStatus>();
  useEffect(() => {
    if (!isAsked) {
      setStatus(undefined);
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown = true;
    let wasIndexing = false;
    const look = async () => {
      try {
        const next = await perform((client) => client.status());
        if (!shown) return;
        setStatus(next);
        if (next.indexing) {
          wasIndexing = true;
          timer = setTimeout(() => void look(), pause);
        } else if (wasIndexing) onReady();
      } catch {
        // The page says what is wrong with the server; it is looked at again later.
        if (shown) timer = setTimeout(() => void look(), 4 * pause);
      }
    };
    void look();
    return () => {
      shown = false;
      clearTimeout(timer);
    };
  }, [isAsked]);
  return status;
}
