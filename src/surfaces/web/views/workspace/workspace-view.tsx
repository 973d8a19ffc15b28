import "../shared.css";
import "./workspace.css";
import { useEffect } from "preact/hooks";
import type { Output } from "../../../../client/client.ts";
import { useMay } from "../../api/caller.ts";
import { useRequest } from "../../api/request.ts";
import { Empty, FailureNotice, Loading } from "../../components/notice.tsx";
import { bytes, count, counted } from "../../components/numbers.ts";
import { Time } from "../../components/time.tsx";
import { FileMap } from "./file-map.tsx";
import { Health } from "./health.tsx";
import { IndexingState, useIndexing } from "./indexing.tsx";
import { SourceCounts } from "./source-counts.tsx";

export type Status = Output<"status">;

/** Milliseconds between two looks: while something is under way, and else. */
const [soon, later] = [1200, 30_000];

export function WorkspaceView() {
  const { result: status, failure, again } = useRequest("status", (client, signal) => client.status({}, { signal }));
  const indexing = useIndexing(again);
  const busy = status?.indexing !== undefined || isEmbedding(status);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && again(), busy ? soon : later);
    return () => clearInterval(timer);
  }, [busy]);
  const notIndexed = failure?.code === "not-indexed";
  return (
    <>
      <div class="view-head">
        <h1>Workspace</h1>
        {status && <IndexingState status={status} indexing={indexing} />}
      </div>
      {indexing.failure && <FailureNotice failure={indexing.failure} />}
      {failure && !notIndexed && <FailureNotice failure={failure} again={again} />}
      {!status && !failure && <Loading what="Reading the index" />}
      {notIndexed && <NothingIndexed begin={indexing.begin} busy={indexing.running} />}
      {status && (
        <>
          <p class="workspace-place mono soft">{status.root === "." ? "This server's workspace" : status.root}</p>
          {status.files === 0 ? (
            <NothingIndexed begin={indexing.begin} busy={indexing.running || status.indexing !== undefined} />
          ) : (
            <>
              <Figures status={status} />
              <FileMap revision={status.revision} />
            </>
          )}
          <SourceCounts status={status} />
          <Health status={status} />
        </>
      )}
    </>
  );
}

function isEmbedding(status: Status | undefined): boolean {
  return status?.model !== undefined && status.model.made < status.model.items;
}

function Figures({ status }: { status: Status }) {
  const figures: [name: string, value: string][] = [
    ["Files", count(status.files)],
    ["Items", count(status.items)],
    ["Links", count(status.links)],
    ["Vectors", count(status.vectors)],
    ["Text", bytes(status.textBytes)],
    ["On disk", bytes(status.bytes + status.recordsBytes)],
  ];
  return (
    <dl class="workspace-figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{value}</dd>
        </div>
      ))}
      <div>
        <dt>Compared with the disk</dt>
        <dd>{status.updated === undefined ? "never" : <Time iso={status.updated} />}</dd>
      </div>
    </dl>
  );
}

function NothingIndexed({ begin, busy }: { begin: () => void; busy: boolean }) {
  const mayIndex = useMay("admin");
  if (busy) {
    return (
      <Empty title="The workspace is being indexed">
        <p>What is ready can be asked for already; the rest follows by itself.</p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing is indexed yet">
      <p>
        The first question indexes what is there. {mayIndex ? "Or begin now." : "An admin key can begin it from here."}
      </p>
      {mayIndex && (
        <button class="button main" type="button" onClick={begin}>
          Index this folder
        </button>
      )}
      <p class="small">
        {counted(0, "file")} so far. Is the folder empty, or does <code>.dossierignore</code> leave everything out?
      </p>
    </Empty>
  );
}
