import { DossierError } from "../../errors.ts";
import { areOfUser } from "../../stores/layered-records.ts";
import type { RecordType } from "../../stores/records.ts";
import { recordsBeside, userRecords } from "../../workspace/database-paths.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Records that were indexed and are gone, although nobody deleted them: the file was emptied or replaced. */
type Loss = { place: string; counts: Partial<Record<RecordType, { known: number; left: number }>> };

const key = "records:lost";

/**
 * Stores a loss until it is reported: it is seen only once, when the index is updated, and not always by a question.
 */
export async function noteLoss(
  workspace: Workspace,
  type: RecordType,
  counts: { known: number; left: number },
  revisions: { indexed: number; now: number },
): Promise<void> {
  const { store, owner, databasePath, server } = workspace;
  const file = areOfUser(revisions.indexed, revisions.now) ? userRecords() : recordsBeside(databasePath);
  const earlier = await readLoss(workspace);
  const loss: Loss = { place: server ?? file, counts: { ...earlier?.counts, [type]: counts } };
  await store.writeMetadata(owner, key, new TextEncoder().encode(JSON.stringify(loss)));
}

/** The sentence about a loss, returned only once. */
export async function takeLoss(workspace: Workspace): Promise<string[]> {
  const loss = await readLoss(workspace);
  if (!loss) return [];
  await workspace.store.writeMetadata(workspace.owner, key, new Uint8Array());
  const counts = Object.entries(loss.counts).map(
    ([type, { known, left }]) => `${left} of ${known} ${plurals[type as RecordType]}`,
  );
  const { message, fix } = new DossierError(
    "records-damaged",
    `${loss.place} was emptied or replaced by an older one: it has ${counts.join(", ")} that were indexed.`,
  );
  return [`${message} ${fix}`];
}

const plurals: Record<RecordType, string> = { memory: "memories", experience: "experiences", value: "values" };

async function readLoss({ store, owner }: Workspace): Promise<Loss | undefined> {
  const bytes = await store.metadata(owner, key);
  return bytes && bytes.length > 0 ? (JSON.parse(new TextDecoder().decode(bytes)) as Loss) : undefined;
}
