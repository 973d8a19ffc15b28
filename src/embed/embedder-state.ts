import type { Store } from "../stores/store.ts";
import type { EmbedderId } from "./embedder.ts";

/** What made the vectors of an index, whichever provider it was. Without it the index has no vectors to search. */
export type State = EmbedderId & {
  /** Names one training, or one version of a model's weights. */
  revision: string;
  /** Items changed since then. */
  changedSince: number;
};

const note = "embedder";

export async function readState(store: Store, owner: string): Promise<State | undefined> {
  const bytes = await store.note(owner, note);
  return bytes && bytes.length > 0 ? (JSON.parse(new TextDecoder().decode(bytes)) as State) : undefined;
}

/** Undefined removes it. */
export async function writeState(store: Store, owner: string, state: State | undefined): Promise<void> {
  await store.writeNote(owner, note, new TextEncoder().encode(state ? JSON.stringify(state) : ""));
}
