import { folder } from "../../../tests/workspace.ts";
import { type Planted, type PlantOptions, plant } from "../../learned/cluster/planted.samples.ts";
import { openWorkspace } from "../../workspace/workspace.ts";

/** A folder whose records hold planted experiences. */
export async function plantedFolder(options: PlantOptions, owner?: string): Promise<string> {
  const path = folder({ "readme.md": "# Shop\n" });
  await record(path, plant(options), owner);
  return path;
}

/** Writes experiences into a folder's records, as if they had been resolved there. */
export async function record(path: string, planted: readonly Planted[], owner?: string): Promise<void> {
  const workspace = await openWorkspace(path, owner ? { owner } : {});
  const records = await workspace.records();
  await records.write(
    workspace.owner,
    planted.map(({ id, created, experience }) => ({
      id,
      type: "experience",
      created,
      changed: created,
      body: experience,
    })),
  );
  await workspace.close();
}

/** Deletes experiences, or takes that back. */
export async function remove(path: string, ids: readonly string[], back = false): Promise<void> {
  const workspace = await openWorkspace(path);
  const records = await workspace.records();
  for (const id of ids) await (back ? records.restore(workspace.owner, id) : records.remove(workspace.owner, id));
  await workspace.close();
}

export async function revisionOf(path: string): Promise<number> {
  const workspace = await openWorkspace(path);
  const revision = await (await workspace.records()).revision(workspace.owner);
  await workspace.close();
  return revision;
}
