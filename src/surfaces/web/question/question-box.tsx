import { setInput } from "./question.ts";

/** Answers come while one types; Enter does nothing more than that. */
export function QuestionBox({ text, busy }: { text: string; busy: boolean }) {
  return (
    <search class="question">
      <label class="unseen" for="question">
        Question
      </label>
      <textarea
        id="question"
        class="question-text"
        rows={1}
        spellcheck={false}
        autocomplete="off"
        placeholder="A question, a name, a path, an error message…"
        value={text}
        aria-busy={busy}
        onKeyDown={(event) => {
          // Out of the text, where letters are commands.
          if (event.key === "Escape") event.currentTarget.blur();
        }}
        onInput={(event) => setInput("query", event.currentTarget.value)}
      />
      <kbd class="question-key">/</kbd>
    </search>
  );
}
