export type Part = {
  name: string;
  /** In the unit of `whole`. */
  amount: number;
  /** A class of styles.css: `source-code`, `signal-3`. */
  colour: string;
};

/** Parts of a whole as one line; `label` says the same in words. */
export function Bar({ parts, whole, label }: { parts: Part[]; whole: number; label: string }) {
  return (
    <div class="bar" role="img" aria-label={label} title={label}>
      {parts.map(({ name, amount, colour }) => (
        <span key={name} class={`bar-part ${colour}`} style={{ width: `${(100 * amount) / Math.max(whole, 1e-9)}%` }} />
      ))}
    </div>
  );
}

/** The legend of a bar's colours. */
export function Legend({ parts }: { parts: { name: string; colour: string; amount?: string }[] }) {
  return (
    <ul class="legend">
      {parts.map(({ name, colour, amount }) => (
        <li key={name}>
          <span class={`swatch ${colour}`} aria-hidden="true" />
          {name}
          {amount !== undefined && <span class="number">{amount}</span>}
        </li>
      ))}
    </ul>
  );
}
