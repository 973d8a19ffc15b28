import { useState } from "preact/hooks";
import type { RequestFailure } from "../../../../client/client.ts";
import { useMay } from "../../api/caller.ts";
import { perform } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { Meter } from "../../components/meter.tsx";
import { count, counted } from "../../components/numbers.ts";
import type { Status } from "./workspace-view.tsx";

type Progress = { stage: string; done: number; total?: number; detail?: string };

export type Indexing = {
  running: boolean;
  progress?: Progress;
  failure?: RequestFailure;
  begin: () => void;
};

/** Indexes on demand, and follows how far it is. */
export function useIndexing(done: () => void): Indexing {
  const [progress, setProgress] = useState<Progress>();
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<RequestFailure>();
  const begin = async () => {
    setRunning(true);
    setFailure(undefined);
    try {
      await perform((client) => client.index({}, { progress: setProgress }));
    } catch (error) {
      setFailure(error as RequestFailure);
    }
    setRunning(false);
    setProgress(undefined);
    done();
  };
  return { running, progress, failure, begin: () => void begin() };
}

/** Whether the index is as the disk is, and what is being done about it. */
export function IndexingState({ status, indexing }: { status: Status; indexing: Indexing }) {
  const mayIndex = useMay("admin");
  const now = indexing.progress ?? status.indexing;
  const { changed, added, removed } = status.stale;
  const stale = changed + added + removed;
  if (now || indexing.running) {
    const { stage = "waiting", done = 0, total } = now ?? {};
    const words = total ? `${stage} ${count(done)} of ${count(total)}` : stage;
    return (
      <div class="indexing" role="status">
        <span class="badge accent">{words}</span>
        {total !== undefined && <Meter share={done / Math.max(1, total)} label={`Indexing: ${words}`} />}
      </div>
    );
  }
  return (
    <div class="row">
      {stale === 0 ? (
        <span class="badge good">up to date</span>
      ) : (
        <span class="badge warning" title={`${changed} changed, ${added} added, ${removed} removed`}>
          {counted(stale, "file")} changed since
        </span>
      )}
      {mayIndex && (
        <Button onClick={indexing.begin} title="Compare the index with the files on disk now">
          Bring up to date
        </Button>
      )}
    </div>
  );
}
