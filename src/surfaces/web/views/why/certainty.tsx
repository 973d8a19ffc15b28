import { decimal } from "../../components/numbers.ts";
import type { AnswerDocument } from "../../question/answer.ts";
import { UnknownWords } from "../../question/doubts.tsx";

/** Confidence is a label: it decides the wording about the evidence, not whether there is any. */
export function Certainty({ document }: { document: AnswerDocument }) {
  const { confidence, notice, unknown, stats } = document;
  const isUnsure = notice !== undefined;
  const words = isUnsure ? "Not sure" : confidence >= 0.8 ? "Sure" : "Fairly sure";
  const milliseconds = Object.values(stats.milliseconds).reduce((sum, each) => sum + each, 0);
  const sourceCounts = Object.entries(stats.found).filter(([, number]) => number > 0);
  return (
    <section class="panel certainty" aria-label="How sure the answer is">
      <div>
        <span class="figure-title">How sure</span>
        <b class={isUnsure ? "warn-text" : "good-text"}>{words}</b>{" "}
        <meter min={0} max={1} value={confidence} aria-label="Confidence" />{" "}
        <span class="number">{decimal(confidence)}</span>
      </div>
      <div>
        <span class="figure-title">Words not found</span>
        {unknown.length === 0 ? "none" : <UnknownWords />}
      </div>
      <div>
        <span class="figure-title">Candidates</span>
        {sourceCounts.length === 0 ? "none" : sourceCounts.map(([source, number]) => `${source} ${number}`).join(", ")}
      </div>
      <div>
        <span class="figure-title">Worked</span>
        <span class="number">{Math.round(milliseconds)} ms</span>
      </div>
    </section>
  );
}
