import { useState } from "preact/hooks";
import type { InputProperty } from "../../../../client/client.ts";
import { useInputs } from "../../api/description.ts";
import { Button } from "../../components/button.tsx";
import { percent } from "../../components/numbers.ts";

export type FormValues = Record<string, string | number | string[]>;

type Props<Field extends string> = {
  /** Whose inputs these are: their kinds, choices and limits are what the service says of them. */
  operation: string;
  /** The fields with their titles, in order. */
  fields: Partial<Record<Field, string>>;
  values?: Partial<FormValues>;
  /** Must be filled in. */
  needs?: readonly Field[];
  busy: boolean;
  action: string;
  /** Called with the filled-in values; empty ones are absent. */
  onSave: (values: FormValues) => void;
  onCancel: () => void;
};

/** A record's fields to fill in. */
export function RecordForm<Field extends string>(props: Props<Field>) {
  const { operation, fields, needs = [], busy, action, onSave, onCancel } = props;
  const inputs = useInputs(operation);
  const [values, setValues] = useState<Partial<FormValues>>(props.values ?? {});
  const names = Object.keys(fields) as Field[];
  const filled = Object.fromEntries(names.flatMap((name) => (isEmpty(values[name]) ? [] : [[name, values[name]!]])));
  if (!inputs) return null;
  return (
    <form
      class="record-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(filled);
      }}
    >
      {names.map((name, at) => (
        <Field
          key={name}
          title={fields[name]!}
          property={inputs.properties[name] ?? {}}
          value={values[name]}
          isFirst={at === 0}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <div class="row record-form-end">
        <Button
          type="submit"
          kind="main"
          disabled={busy || needs.some((name) => isEmpty(values[name])) || Object.keys(filled).length === 0}
        >
          {action}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** No label is a value: all of them may be taken away. */
function isEmpty(value: FormValues[string] | undefined): boolean {
  return value === undefined || (typeof value === "string" && value.trim() === "");
}

type FieldProps = {
  title: string;
  property: InputProperty;
  value: FormValues[string] | undefined;
  isFirst: boolean;
  onChange: (value: FormValues[string]) => void;
};

function Field({ title, property, value, isFirst, onChange }: FieldProps) {
  const { type, enum: choices, maxLength, description } = property;
  if (choices) {
    return (
      <label class="field" title={description}>
        {title}
        <select value={String(value ?? "")} onChange={(event) => onChange(event.currentTarget.value)}>
          {value === undefined && <option value="">—</option>}
          {choices.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
    );
  }
  if (type === "number") {
    const share = Number(value ?? 0.5);
    return (
      <label class="field" title={description}>
        {title}, {percent(share)}
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={share}
          onInput={(event) => onChange(Number(event.currentTarget.value))}
        />
      </label>
    );
  }
  if (type === "array") {
    return (
      <label class="field" title={description}>
        {title}, with commas
        <input
          defaultValue={(value as string[] | undefined)?.join(", ")}
          onInput={(event) => onChange(event.currentTarget.value.split(",").flatMap((each) => each.trim() || []))}
        />
      </label>
    );
  }
  return (
    <label class="field wide" title={description}>
      {title}
      <textarea
        rows={isFirst ? 3 : 2}
        maxLength={maxLength}
        value={String(value ?? "")}
        ref={isFirst ? focused : undefined}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

/** A form that was just opened gets the focus. */
function focused(element: HTMLTextAreaElement | null): void {
  if (element && element.dataset.reached === undefined) {
    element.dataset.reached = "";
    element.focus();
  }
}
