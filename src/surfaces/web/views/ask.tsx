import { Empty } from "../components/notice.tsx";
import { count } from "../components/numbers.ts";
import { useAnswer } from "../question/answer.ts";

export function AskView() {
  const { result } = useAnswer();
  if (!result) return <Empty title="What would a model be given?" />;
  return (
    <ol class="results">
      {result.items.map((item) => (
        <li key={item.id}>
          <span class={`source source-${item.source}`}>{item.source}</span> {item.title}{" "}
          <span class="number">{count(item.tokens)}</span>
        </li>
      ))}
    </ol>
  );
}
