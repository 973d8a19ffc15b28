import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { InputDescription, Output } from "../../../client/client.ts";
import { type RequestState, useRequest } from "../api/request.ts";
import { isAsked, type QuestionInput } from "./question.ts";

export type AnswerDocument = Output<"context">;
export type DocumentItem = AnswerDocument["items"][number];
export type LeftOutItem = AnswerDocument["dropped"][number];

/** Extra reports with the answer. */
export type Report = QuestionInput["report"];

/** The current question and its answer, for every view of it. */
export type GivenAnswer = RequestState<AnswerDocument> & { question: QuestionInput; inputs?: InputDescription };

const AnswerContext = createContext<GivenAnswer>({ question: {}, loading: false, again: () => undefined });
export const AnswerProvider = AnswerContext.Provider;

export function useAnswer(): GivenAnswer {
  return useContext(AnswerContext);
}

/**
 * Milliseconds without a key being pressed: long enough for a fast typist's next letter, and too short to be noticed.
 */
const typingPause = 50;

export function useDocument(
  question: QuestionInput | undefined,
  report: Report = ["parts"],
): RequestState<AnswerDocument> {
  const input = { ...question, report };
  const key = question && isAsked(question) ? JSON.stringify(input) : undefined;
  return useRequest(key, (client, signal) => client.context(input, { signal }), typingPause);
}
