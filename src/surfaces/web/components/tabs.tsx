type Props<Name extends string> = {
  label: string;
  names: readonly Name[];
  chosen: Name;
  onChoose: (name: Name) => void;
  titleOf?: (name: Name) => string;
};

/** One choice of few, as a row of buttons; arrow keys move along it. */
export function Tabs<Name extends string>({ label, names, chosen, onChoose, titleOf = (name) => name }: Props<Name>) {
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = (names.indexOf(chosen) + step + names.length) % names.length;
    onChoose(names[at]!);
    const list = event.currentTarget as HTMLElement;
    (list.children[at] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {names.map((name) => (
        <button
          key={name}
          class="tab"
          type="button"
          role="tab"
          aria-selected={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {titleOf(name)}
        </button>
      ))}
    </div>
  );
}
