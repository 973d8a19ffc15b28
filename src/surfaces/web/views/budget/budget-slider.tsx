import { count } from "../../components/numbers.ts";
import { useAnswer } from "../../question/answer.ts";
import { setInput } from "../../question/question.ts";

/** Budgets are compared by ratio, so the slider is logarithmic. */
const [least, most, steps] = [128, 131_072, 200];
const ticks = [256, 1000, 4000, 16_000, 64_000];

function positionOf(tokens: number): number {
  const share = Math.log(tokens / least) / Math.log(most / least);
  return Math.round(Math.min(1, Math.max(0, share)) * steps);
}

/** Round numbers: nobody means 4,013. */
function tokensAt(position: number): number {
  const tokens = least * (most / least) ** (position / steps);
  const unit = tokens < 1000 ? 10 : tokens < 10_000 ? 50 : 500;
  return Math.round(tokens / unit) * unit;
}

export function BudgetSlider({ budget }: { budget: number }) {
  const { question, inputs } = useAnswer();
  const { minimum = 64, maximum = 1_000_000, default: usual } = inputs?.properties.maxTokens ?? {};
  const tokens = question.maxTokens ?? budget;
  const choose = (tokens: number) => {
    if (Number.isInteger(tokens) && tokens >= minimum && tokens <= maximum)
      setInput("maxTokens", tokens === usual ? undefined : tokens);
  };
  return (
    <div class="budget-slider">
      <label class="field">
        Budget in tokens
        <input
          type="number"
          name="budget"
          min={minimum}
          max={maximum}
          value={tokens}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        />
      </label>
      <div class="range">
        <input
          type="range"
          min={0}
          max={steps}
          value={positionOf(tokens)}
          aria-label="Budget"
          aria-valuetext={`${count(tokens)} tokens`}
          onInput={({ currentTarget }) => choose(tokensAt(Number(currentTarget.value)))}
        />
        <div class="ticks" aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick} style={{ left: `${(100 * positionOf(tick)) / steps}%` }}>
              {count(tick)}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}
