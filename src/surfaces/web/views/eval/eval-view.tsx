import "../shared.css";
import "./eval.css";
import { useState } from "preact/hooks";
import type { Output, RequestFailure } from "../../../../client/client.ts";
import { useMay } from "../../api/caller.ts";
import { perform, useRequest } from "../../api/request.ts";
import { Button } from "../../components/button.tsx";
import { Meter } from "../../components/meter.tsx";
import { Empty, FailureNotice, Loading, Notice } from "../../components/notice.tsx";
import { count, decimal } from "../../components/numbers.ts";
import { Table } from "../../components/table.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { moment } from "../../components/time.tsx";
import { restate, useLocation } from "../../shell/router.ts";
import { EvalChart } from "./eval-chart.tsx";

export type PastMeasurement = Output<"eval_history">["measurements"][number];
export type Figure = PastMeasurement["figures"][number];
export type Measure = Figure["measure"];

const measures = ["mrr", "acc@1", "recall@10", "within"] as const satisfies readonly Measure[];
type Shown = (typeof measures)[number];
const titles: Record<Shown, string> = {
  mrr: "Reciprocal rank",
  "acc@1": "First is right",
  "recall@10": "Found in ten",
  within: "Within the budget",
};
const meanings: Record<Shown, string> = {
  mrr: "One over the rank of the first thing that was expected, on average.",
  "acc@1": "How often everything that was expected comes first.",
  "recall@10": "The share of what was expected among the first ten.",
  within: "The share of what was expected that the document holds within its budget.",
};

/** Whether answers get better: each run of eval, beside plain BM25. */
export function EvalView() {
  const { state } = useLocation();
  const measure = measures.find((each) => each === state.get("measure")) ?? "mrr";
  const { result, failure, again } = useRequest("eval history", (client, signal) => client.evalHistory({}, { signal }));
  const measurements = result?.measurements ?? [];
  return (
    <>
      <div class="view-head">
        <h1>Eval</h1>
        <MeasureNow done={again} />
      </div>
      {failure && <FailureNotice failure={failure} again={again} />}
      {!result && !failure && <Loading />}
      {result && measurements.length === 0 && (
        <Empty title="Nothing was measured here yet">
          <p>
            <code>dossier eval</code> mines questions from commits, tests, notes and threads of this workspace, and
            measures how well they are answered.
          </p>
        </Empty>
      )}
      {measurements.length > 0 && (
        <>
          <Tabs
            label="Measure"
            names={measures}
            chosen={measure}
            titleOf={(each) => titles[each]}
            onChoose={(each) => restate((next) => next.set("measure", each))}
          />
          <p class="small soft eval-meaning">{meanings[measure]}</p>
          <EvalChart measurements={measurements} measure={measure} title={titles[measure]} />
          <section class="view-part">
            <h2>Measurements</h2>
            <Table
              caption="Measurements, the newest first"
              rows={rowsOf(measurements, measure)}
              keyOf={({ key }) => key}
              columns={[
                { title: "When", cell: ({ at }) => moment(at) },
                { title: "Questions from", cell: ({ figure }) => figure.kind },
                { title: titles[measure], numeric: true, cell: ({ figure }) => decimal(figure.dossier.mean, 3) },
                {
                  title: "95 %",
                  numeric: true,
                  cell: ({ figure }) => `${decimal(figure.dossier.low, 3)} to ${decimal(figure.dossier.high, 3)}`,
                },
                { title: "BM25", numeric: true, cell: ({ figure }) => decimal(figure.bm25, 3) },
                { title: "Cases", numeric: true, cell: ({ figure }) => count(figure.cases) },
                { title: "Files", numeric: true, cell: ({ files }) => count(files) },
                { title: "Budget", numeric: true, cell: ({ maxTokens }) => count(maxTokens) },
                { title: "Version", cell: ({ version, weighted }) => `${version}${weighted ? ", tuned" : ""}` },
              ]}
            />
          </section>
        </>
      )}
    </>
  );
}

type Row = PastMeasurement & { key: string; figure: Figure };

function rowsOf(measurements: readonly PastMeasurement[], measure: Measure): Row[] {
  return [...measurements]
    .reverse()
    .flatMap((measurement) =>
      measurement.figures
        .filter((figure) => figure.measure === measure)
        .map((figure) => ({ ...measurement, figure, key: `${measurement.at} ${figure.kind}` })),
    );
}

const usualCases = 50;

function MeasureNow({ done }: { done: () => void }) {
  const mayMeasure = useMay("admin");
  const [progress, setProgress] = useState<{ stage: string; done: number; total?: number }>();
  const [running, setRunning] = useState(false);
  const [message, setMessage] = useState<string>();
  const [failure, setFailure] = useState<RequestFailure>();
  const measure = async () => {
    setRunning(true);
    setFailure(undefined);
    setMessage(undefined);
    try {
      const { figures, cases } = await perform((client) =>
        client.eval({ limit: usualCases }, { progress: setProgress }),
      );
      const why = cases.flatMap((each) => (each.why === undefined ? [] : [`${each.kind}: ${each.why}`]));
      if (figures.length === 0) setMessage(`No questions could be mined here. ${why.join(" ")}`);
      done();
    } catch (error) {
      setFailure(error as RequestFailure);
    }
    setRunning(false);
    setProgress(undefined);
  };
  if (!mayMeasure) return null;
  return (
    <div class="measure-now">
      {running ? (
        <div class="indexing" role="status">
          <span class="badge accent">
            {progress
              ? `${progress.stage} ${count(progress.done)}${progress.total ? ` of ${count(progress.total)}` : ""}`
              : "measuring"}
          </span>
          {progress?.total !== undefined && (
            <Meter share={progress.done / Math.max(1, progress.total)} label="Measuring" />
          )}
        </div>
      ) : (
        <Button
          onClick={() => void measure()}
          title={`Up to ${usualCases} questions of each kind; takes a minute or more`}
        >
          Measure now
        </Button>
      )}
      {message !== undefined && (
        <Notice>
          <p>{message}</p>
        </Notice>
      )}
      {failure && <FailureNotice failure={failure} />}
    </div>
  );
}
