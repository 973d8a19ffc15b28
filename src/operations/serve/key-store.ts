import type { KeyStore } from "../../stores/keys.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The keys of a workspace, in the file of its records; closed by whoever opens them. */
export async function openKeys({ databasePath }: Pick<Workspace, "databasePath">): Promise<KeyStore> {
  const [{ openSqliteKeys }, { recordsBeside }] = await Promise.all([
    import("../../stores/sqlite/records/keys.ts"),
    import("../../workspace/database-paths.ts"),
  ]);
  return openSqliteKeys(recordsBeside(databasePath));
}
