import "./caller-name.css";
import { useCaller } from "../api/caller.ts";

/** Whose data is seen by this key, and what it allows. */
export function CallerName() {
  const caller = useCaller();
  if (caller?.keyScope === undefined) return null;
  return (
    <p class="caller" title="Whose data this key opens, and what it allows">
      {caller.owner} <span class="badge">{caller.keyScope}</span>
    </p>
  );
}
