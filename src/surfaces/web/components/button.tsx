import type { ComponentChildren } from "preact";

type Props = {
  children: ComponentChildren;
  onClick?: () => void;
  kind?: "plain" | "main" | "quiet" | "danger";
  type?: "button" | "submit";
  disabled?: boolean;
  /** Of a switch: whether it is on. */
  pressed?: boolean;
  /** Of a button that unfolds something: whether that is open. */
  expanded?: boolean;
  /** The accessible name, where the text is a sign or says too little. */
  label?: string;
  title?: string;
};

export function Button({
  children,
  onClick,
  kind = "plain",
  type = "button",
  disabled,
  pressed,
  expanded,
  label,
  title,
}: Props) {
  return (
    <button
      class={`button ${kind}`}
      type={type}
      disabled={disabled}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-label={label}
      title={title ?? label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
