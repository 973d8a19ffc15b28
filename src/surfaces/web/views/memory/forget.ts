import { perform } from "../../api/request.ts";
import type { Done } from "../../components/undo.tsx";

/** Forgets records, and says how to take that back. */
export function forgetting(ids: string[], noun: string): () => Promise<Done> {
  return async () => {
    await perform((client) => client.forget({ ids }));
    return { sentence: `The ${noun} is forgotten.`, undo: () => perform((client) => client.restore({ ids })) };
  };
}

export function restoring(ids: string[], noun: string): () => Promise<Done> {
  return async () => {
    await perform((client) => client.restore({ ids }));
    return { sentence: `The ${noun} is back.`, undo: () => perform((client) => client.forget({ ids })) };
  };
}
