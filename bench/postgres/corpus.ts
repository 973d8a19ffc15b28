import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { index, openWorkspace } from "../../src/index.ts";
import type { IndexedFile, Store, StoreChange } from "../../src/stores/store.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";

/** What owners are given: analysed files of this project, each owner another stretch of them. */
export type Corpus = {
  /** A workspace over the folder, whose store holds all of it for the local owner. */
  workspace: Workspace;
  items: number;
  /** The `number`th owner's files, of so many items or a few more, in batches as the indexer writes them. */
  batches(number: number, items: number): { changes: StoreChange[]; vectors: Map<string, Int8Array> };
  /** The notes that the indexer keeps beside the items: what the built-in embedder has learned. */
  notes: Map<string, Uint8Array>;
  close(): Promise<void>;
};

const rooms = ["src", "bench", "scripts", "docs"];
const batchFiles = 100;

/** Indexes the project once, with all that an answer is made of, and keeps what was written. */
export async function analysedProject(): Promise<Corpus> {
  const root = mkdtempSync(join(tmpdir(), "dossier-bench-postgres-"));
  for (const room of rooms) cpSync(room, join(root, room), { recursive: true });
  const workspace = await openWorkspace(root);
  const files: IndexedFile[] = [];
  const vectors = new Map<string, Int8Array>();
  const notes = new Map<string, Uint8Array>();
  const listening = new Proxy(workspace.store, {
    get(target, name: keyof Store) {
      if (name === "write") {
        return (owner: string, change: StoreChange) => {
          files.push(...change.files);
          return target.write(owner, change);
        };
      }
      if (name === "writeVectors") {
        return (owner: string, written: Map<string, Int8Array>) => {
          for (const [id, vector] of written) vectors.set(id, vector);
          return target.writeVectors(owner, written);
        };
      }
      if (name === "writeMetadata") {
        return (owner: string, key: string, value: Uint8Array) => {
          notes.set(key, value);
          return target.writeMetadata(owner, key, value);
        };
      }
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  await index({}, { workspace: { ...workspace, store: listening } });
  return {
    workspace,
    items: files.reduce((sum, file) => sum + file.items.length, 0),
    notes,
    batches(number, items) {
      const own: IndexedFile[] = [];
      // A prime step: the stretches of neighbours overlap only in part.
      for (let at = number * 61, count = 0; count < items; at++) {
        const file = files[at % files.length]!;
        if (own.includes(file)) break;
        own.push(file);
        count += file.items.length;
      }
      const changes: StoreChange[] = [];
      for (let at = 0; at < own.length; at += batchFiles) {
        changes.push({ files: own.slice(at, at + batchFiles), removed: [] });
      }
      const ids = own.flatMap((file) => file.items.map(({ item }) => item.id));
      return { changes, vectors: new Map(ids.flatMap((id) => (vectors.has(id) ? [[id, vectors.get(id)!]] : []))) };
    },
    async close() {
      await workspace.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
