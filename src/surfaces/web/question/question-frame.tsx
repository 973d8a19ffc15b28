import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { useInputs } from "../api/description.ts";
import { FailureNotice } from "../components/notice.tsx";
import { useLocation } from "../shell/router.ts";
import type { View } from "../views.ts";
import { AnswerProvider, useDocument } from "./answer.ts";
import { AnswerSummary } from "./answer-summary.tsx";
import { Doubts } from "./doubts.tsx";
import { OptionsForm } from "./options-form.tsx";
import { questionIn } from "./question.ts";
import { QuestionBox } from "./question-box.tsx";
import { useRemembered } from "./recent.ts";

/** The question above, and one of its views below. */
export function QuestionFrame({ view, children }: { view: View; children: ComponentChildren }) {
  const { state } = useLocation();
  const inputs = useInputs("context");
  const question = useMemo(() => (inputs ? questionIn(state, inputs) : {}), [state, inputs]);
  const asked = useDocument(inputs && question, view.report);
  const text = state.get("query") ?? "";
  useRemembered(text, asked.result !== undefined && !asked.loading);
  return (
    <AnswerProvider value={{ ...asked, question, inputs }}>
      <h1 class="unseen">{view.title}</h1>
      <QuestionBox text={text} busy={asked.loading} />
      {view.name === "ask" && <OptionsForm />}
      <AnswerSummary />
      <div class="notices">
        {asked.failure && <FailureNotice failure={asked.failure} again={asked.again} />}
        <Doubts />
      </div>
      {children}
    </AnswerProvider>
  );
}
