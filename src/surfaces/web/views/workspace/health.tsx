import { Meter } from "../../components/meter.tsx";
import { bytes, count, counted, percent } from "../../components/numbers.ts";
import type { Status } from "./workspace-view.tsx";

/** Vectors, sizes, and what was left out or went wrong. */
export function Health({ status }: { status: Status }) {
  const { model, embedder, problems, skipped } = status;
  const skippedFiles = Object.entries(skipped).sort(([, a], [, b]) => b - a);
  return (
    <section class="view-part health">
      <div class="panel">
        <h2>Vectors</h2>
        {model ? (
          <>
            <p>
              {model.name}{" "}
              <span class={`badge ${model.answers ? "good" : "warning"}`}>
                {model.answers ? "answers" : "being made"}
              </span>
            </p>
            <Meter share={model.made / Math.max(1, model.items)} label="Vectors of the language model" />
            <p class="small soft number">
              {count(model.made)} of {count(model.items)} ({percent(model.made / Math.max(1, model.items))})
              {model.secondsLeft !== undefined &&
                model.secondsLeft > 0 &&
                `, about ${minutes(model.secondsLeft)} to go`}
            </p>
          </>
        ) : (
          <p class="small soft">
            {embedder
              ? `Built in: learned from this workspace, ${embedder.dimensions} dimensions. No language model is configured.`
              : "None yet: they are made when there is enough text."}
          </p>
        )}
      </div>
      <div class="panel">
        <h2>On disk</h2>
        <dl class="facts">
          <dt>Index</dt>
          <dd class="number">{bytes(status.bytes)}</dd>
          <dt>Written down</dt>
          <dd class="number">{bytes(status.recordsBytes)}</dd>
          <dt>Engine</dt>
          <dd>{status.engine}</dd>
        </dl>
      </div>
      <div class="panel">
        <h2>Left out</h2>
        {skippedFiles.length === 0 && problems.length === 0 && (
          <p class="small soft">Every text file that is listed is indexed.</p>
        )}
        {skippedFiles.length > 0 && (
          <p class="small soft">
            {skippedFiles.map(([reason, files]) => `${counted(files, "file")} ${reason}`).join(", ")}
          </p>
        )}
        {problems.length > 0 && (
          <ul class="problems small">
            {problems.map(({ path, reason }) => (
              <li key={path}>
                <span class="mono">{path}</span> <span class="error-text">{reason}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function minutes(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
