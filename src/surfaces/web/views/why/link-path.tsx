type Step = { id: string; name: string; kind: string };

/** The path that led to an item, from what was found to the item itself. */
export function LinkPath({ via, to }: { via?: Step[]; to: string }) {
  if (!via || via.length === 0) return <span>found by the question itself</span>;
  return (
    <ol class="way">
      {via.toReversed().map(({ id, name, kind }) => (
        <li key={id}>
          <b>{name}</b> <span class="badge">{kind}</span> <span aria-hidden="true">→</span>
        </li>
      ))}
      <li>{to}</li>
    </ol>
  );
}
