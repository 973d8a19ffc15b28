import type { InputProperty } from "../../../client/client.ts";
import { setInput } from "./question.ts";

type Value = string | number | boolean | string[] | undefined;
type Props = {
  /** In the address. */
  name: string;
  /** Without it the name, in words. */
  title?: string;
  /** `placeholder`: what holds where nothing is chosen, if not the default. */
  property: InputProperty & { placeholder?: string };
  value: Value;
};

/** One input of the question as its schema describes it: a choice, a switch, a number, a list or a text. */
export function OptionField({ name, title = titleOf(name), property, value }: Props) {
  const { type, enum: choices, items, description = "" } = property;
  if (type === "array" && items?.enum)
    return <ManyOf name={name} choices={items.enum} value={value as string[]} title={description} />;
  const common = { name, title, property, value };
  if (type === "boolean") return <Switch {...common} />;
  return (
    <div class="field" title={description}>
      <label for={`option-${name}`}>{title}</label>
      {choices ? <OneOf {...common} choices={choices} /> : <Typed {...common} />}
    </div>
  );
}

/** `maxTokens` -> `Max tokens`. */
export function titleOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function OneOf({ name, property, value, choices }: Props & { choices: readonly string[] }) {
  const { default: usual, placeholder } = property;
  return (
    <select
      id={`option-${name}`}
      name={name}
      value={String(value ?? usual ?? "")}
      onChange={({ currentTarget }) => setInput(name, currentTarget.value === usual ? undefined : currentTarget.value)}
    >
      {usual === undefined && <option value="">{placeholder ?? "—"}</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}

function Switch({ name, title, property, value }: Props) {
  const { default: usual = false, description } = property;
  return (
    <label class="check" title={description}>
      <input
        type="checkbox"
        name={name}
        checked={(value ?? usual) === true}
        onChange={({ currentTarget: { checked } }) => setInput(name, checked === usual ? undefined : checked)}
      />
      {title}
    </label>
  );
}

function Typed({ name, property, value }: Props) {
  const { type, minimum, maximum, default: usual, examples, placeholder } = property;
  const isNumber = type === "integer" || type === "number";
  const isList = type === "array";
  const text = isList ? ((value as string[] | undefined) ?? []).join(", ") : String(value ?? "");
  const listId = examples ? `examples-${name}` : undefined;
  return (
    <>
      <input
        id={`option-${name}`}
        name={name}
        type={isNumber ? "number" : "text"}
        min={limit(minimum)}
        max={limit(maximum)}
        step={type === "number" ? "any" : undefined}
        list={listId}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder ?? String(usual ?? "as usual")}
        defaultValue={text}
        onChange={({ currentTarget: { value: text } }) =>
          setInput(name, isList ? text.split(",").flatMap((part) => part.trim() || []) : text.trim())
        }
      />
      {listId && (
        <datalist id={listId}>
          {examples?.map((example) => (
            <option key={example} value={example} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Limits that somebody set, not those of every number in JSON. */
function limit(value: number | undefined): number | undefined {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
}

type ManyProps = { name: string; choices: readonly string[]; value?: string[]; title: string };

function ManyOf({ name, choices, value = [], title }: ManyProps) {
  const toggle = (choice: string) =>
    setInput(name, value.includes(choice) ? value.filter((each) => each !== choice) : [...value, choice]);
  return (
    <fieldset class="many" title={title}>
      <legend>{titleOf(name)}</legend>
      {choices.map((choice) => (
        <button
          key={choice}
          class={`chip ${name === "sources" ? `source-${choice}` : ""}`}
          type="button"
          aria-pressed={value.includes(choice)}
          onClick={() => toggle(choice)}
        >
          {choice}
        </button>
      ))}
    </fieldset>
  );
}
