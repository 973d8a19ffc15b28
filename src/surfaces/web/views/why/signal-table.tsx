import { Bar } from "../../components/bar.tsx";
import { decimal } from "../../components/numbers.ts";
import { meaningOf, signalParts } from "../../question/signals.ts";

/** The parts of the score: every number with its meaning. */
export function SignalTable({ because, score }: { because: Record<string, number>; score: number }) {
  const parts = signalParts(because);
  if (parts.length === 0) return <p class="small soft">No signal speaks for it: it is there because you pinned it.</p>;
  const most = Math.max(...parts.map(({ amount }) => amount));
  return (
    <table class="signals">
      <caption class="unseen">Signals that make up the score of {decimal(score)}</caption>
      <tbody>
        {parts.map((part) => (
          <tr key={part.name}>
            <th scope="row">{part.name}</th>
            <td class="signal-cell signal-bar">
              <Bar parts={[part]} whole={most} label={`${part.name} ${decimal(part.amount, 3)}`} />
            </td>
            <td class="signal-cell number">{decimal(part.amount, 3)}</td>
            <td class="signal-cell soft">{meaningOf(part.name)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
