import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { useInputs } from "../api/description.ts";
import { FailureNotice } from "../components/notice.tsx";
import { count, counted, milliseconds } from "../components/numbers.ts";
import { useLocation } from "../shell/router.ts";
import type { View } from "../views.ts";
import { AnswerProvider, useAnswer, useDocument } from "./answer.ts";
import { Doubts } from "./doubts.tsx";
import { useIndexProgress } from "./index-progress.ts";
import { OptionsForm } from "./options-form.tsx";
import { questionIn } from "./question.ts";
import { QuestionBox } from "./question-box.tsx";
import { useRemembered } from "./recent.ts";

/** The question above, and one of its views below. */
export function QuestionFrame({ view, children }: { view: View; children: ComponentChildren }) {
  const { state } = useLocation();
  const inputs = useInputs("context");
  const question = useMemo(() => (inputs ? questionIn(state, inputs) : {}), [state, inputs]);
  const answer = useDocument(inputs && question, view.report);
  const text = state.get("query") ?? "";
  useRemembered(text, answer.result !== undefined && !answer.loading);
  return (
    <AnswerProvider value={{ ...answer, question, inputs }}>
      <h1 class="unseen">{view.title}</h1>
      <QuestionBox text={text} busy={answer.loading} />
      {view.name === "ask" && <OptionsForm />}
      <AnswerSummary />
      <div class="notices">
        {answer.failure && <FailureNotice failure={answer.failure} again={answer.again} />}
        <Doubts />
      </div>
      {children}
    </AnswerProvider>
  );
}

/** The answer in one line. */
function AnswerSummary() {
  const { result, loading, took } = useAnswer();
  const progress = useIndexProgress(!result && loading);
  if (!result && loading) {
    const { stage, done, total } = progress ?? {};
    const counts = total ? ` ${count(done ?? 0)} of ${count(total)}` : "";
    return (
      <p class="summary soft" role="status">
        {stage ? `Bringing the index up to date: ${stage}${counts}…` : "Asking…"}
      </p>
    );
  }
  if (!result) return <p class="summary soft">Type a question. Answers come as you type.</p>;
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
