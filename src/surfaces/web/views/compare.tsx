import { useMemo } from "preact/hooks";
import { useRequest } from "../api/request.ts";
import { Empty, FailureNotice, Loading } from "../components/notice.tsx";
import { count } from "../components/numbers.ts";
import { type AnswerDocument, useAnswer, useDocument } from "../question/answer.ts";
import { OptionField, titleOf } from "../question/option-field.tsx";
import { isAsked, type QuestionInput, questionIn } from "../question/question.ts";
import { useLocation } from "../shell/router.ts";
import { Differences } from "./compare/differences.tsx";
import { Texts } from "./compare/texts.tsx";

/** Options that may differ in the second run; each is kept in the address under this name. */
const compared = [
  "query",
  "maxTokens",
  "recipe",
  "encoding",
  "format",
  "layout",
  "lens",
  "depth",
  "truncation",
] as const;
const prefix = "b.";

/** Two runs side by side: the question above, and the same with other options. */
export function CompareView() {
  const { result: first, question, inputs } = useAnswer();
  const { state } = useLocation();
  const changes = useMemo(() => (inputs ? questionIn(secondOf(state), inputs) : {}), [state, inputs]);
  const other = { ...question, ...changes };
  const second = useDocument(inputs && other);
  if (!isAsked(question)) {
    return (
      <Empty title="Nothing to compare yet">
        <p>Ask something, then change an option of the second run.</p>
      </Empty>
    );
  }
  const values = changes as Record<string, never>;
  return (
    <div class="stack">
      <form class="options" aria-label="Options of the second run" onSubmit={(event) => event.preventDefault()}>
        <h2>In the second run</h2>
        <div class="option-grid">
          {compared.map((name) => {
            const property = inputs?.properties[name];
            const now = question[name] ?? property?.default;
            const placed = property && { ...property, default: undefined, placeholder: String(now ?? "") };
            return (
              placed && (
                <OptionField
                  key={name}
                  name={`${prefix}${name}`}
                  title={titleOf(name)}
                  property={placed}
                  value={values[name]}
                />
              )
            );
          })}
        </div>
      </form>
      {second.failure && <FailureNotice failure={second.failure} again={second.again} />}
      {first && second.result ? (
        <Comparison first={first} second={second.result} changes={changes} />
      ) : (
        <Loading what="Asking twice" />
      )}
    </div>
  );
}

function secondOf(state: URLSearchParams): URLSearchParams {
  const second = new URLSearchParams();
  for (const [key, value] of state) if (key.startsWith(prefix)) second.append(key.slice(prefix.length), value);
  return second;
}

type Props = { first: AnswerDocument; second: AnswerDocument; changes: QuestionInput };

function Comparison({ first, second, changes }: Props) {
  const [a, b] = [JSON.stringify(first), JSON.stringify(second)];
  const { result, failure, again } = useRequest(`${a}\n${b}`, (client, signal) => client.diff({ a, b }, { signal }));
  const items = new Map([...second.items, ...first.items].map((item) => [item.id, item]));
  const isSame = Object.keys(changes).length === 0;
  return (
    <>
      <div class="runs">
        <Run title="First run" document={first} />
        <Run title="Second run" document={second} />
      </div>
      {isSame && <p class="soft">Both runs are the same. Change an option of the second one.</p>}
      {failure && <FailureNotice failure={failure} again={again} />}
      {result && !isSame && <Differences difference={result} items={items} />}
      {!isSame && <Texts first={first} second={second} />}
    </>
  );
}

function Run({ title, document }: { title: string; document: AnswerDocument }) {
  const { tokens, items, recipe, format } = document;
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      <p class="small soft">
        {recipe}, {format}, {tokens.encoding}
      </p>
      <p>
        <b class="number">{count(tokens.used)}</b> <span class="soft">of {count(tokens.budget)} tokens,</span>{" "}
        <b class="number">{count(items.length)}</b> <span class="soft">items</span>
      </p>
    </section>
  );
}
