import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { useInputs } from "../api/description.ts";
import { FailureNotice } from "../components/notice.tsx";
import { useLocation } from "../shell/router.ts";
import type { View } from "../views.ts";
import { AnswerProvider, useDocument } from "./answer.ts";
import { AnswerSummary } from "./answer-summary.tsx";
import { questionIn } from "./question.ts";
import { QuestionBox } from "./question-box.tsx";

/** The question above, and one of its views below. */
export function QuestionFrame({ view, children }: { view: View; children: ComponentChildren }) {
  const { state } = useLocation();
  const inputs = useInputs("context");
  const question = useMemo(() => (inputs ? questionIn(state, inputs) : {}), [state, inputs]);
  const asked = useDocument(inputs && question);
  return (
    <AnswerProvider value={{ ...asked, question, inputs }}>
      <h1 class="unseen">{view.title}</h1>
      <QuestionBox text={state.get("query") ?? ""} busy={asked.loading} />
      <AnswerSummary />
      {asked.failure && <FailureNotice failure={asked.failure} again={asked.again} />}
      {children}
    </AnswerProvider>
  );
}
