import { count, counted, milliseconds } from "../components/numbers.ts";
import { useAnswer } from "./answer.ts";

/** The answer in one line. */
export function AnswerSummary() {
  const { result, loading, took } = useAnswer();
  if (!result) return <p class="summary soft">{loading ? "Asking…" : "Type a question. Answers come as you type."}</p>;
  const { tokens, items, dropped } = result;
  return (
    <p class="summary" role="status" aria-busy={loading}>
      <span>{counted(items.length, "item")}</span>{" "}
      <span>
        <b>{count(tokens.used)}</b> of {count(tokens.budget)} tokens
      </span>{" "}
      <span>{count(dropped.length)} left out</span>{" "}
      {took !== undefined && <span class="soft">{milliseconds(took)}</span>}
    </p>
  );
}
