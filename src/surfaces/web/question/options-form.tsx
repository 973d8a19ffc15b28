import { useState } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { restate } from "../shell/router.ts";
import { useAnswer } from "./answer.ts";
import { OptionField } from "./option-field.tsx";

/** Always at hand; the others unfold. */
const first = ["recipe", "format", "depth", "lens", "maxTokens"];
const firstWide = ["sources"];
/** Inputs shown elsewhere: the question, and the decisions on single items. */
const elsewhere = new Set(["query", "pin", "exclude", "level", "report", "since", "overflowFrom"]);

/** The form is made from what the service says of its inputs: a new option is here without a change. */
export function OptionsForm() {
  const { inputs, question } = useAnswer();
  const [open, setOpen] = useState(false);
  if (!inputs) return null;
  const values = question as Record<string, never>;
  const names = Object.keys(inputs.properties).filter((name) => !elsewhere.has(name));
  const field = (name: string) => {
    const property = inputs.properties[name];
    return property && <OptionField key={name} name={name} property={property} value={values[name]} />;
  };
  const others = names.filter((name) => ![...first, ...firstWide].includes(name));
  const kindOf = (name: string) => inputs.properties[name]?.type;
  const isWide = (name: string) => kindOf(name) === "array" && inputs.properties[name]?.items?.enum !== undefined;
  const changed = names.filter((name) => values[name] !== undefined);
  const reset = () =>
    restate((state) => {
      for (const name of changed) state.delete(name);
    });
  return (
    <form class="options" aria-label="Options" onSubmit={(event) => event.preventDefault()}>
      <div class="option-grid">{first.map(field)}</div>
      {firstWide.map(field)}
      <div class="row">
        <Button kind="quiet" onClick={() => setOpen(!open)} expanded={open}>
          {open ? "Fewer options" : "More options"}
        </Button>
        {changed.length > 0 && (
          <Button kind="quiet" onClick={reset}>
            Reset {changed.length} changed
          </Button>
        )}
      </div>
      {open && (
        <div class="more-options">
          <div class="option-grid">
            {others.filter((name) => !isWide(name) && kindOf(name) !== "boolean").map(field)}
          </div>
          <div class="option-grid">{others.filter((name) => kindOf(name) === "boolean").map(field)}</div>
          {others.filter(isWide).map(field)}
        </div>
      )}
    </form>
  );
}
