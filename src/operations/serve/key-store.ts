import type { KeyStore } from "../../stores/keys.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The keys of a workspace, in the file of its records or in its database; the caller closes the store. */
export async function openKeys({ databasePath, keys }: Pick<Workspace, "databasePath" | "keys">): Promise<KeyStore> {
  if (keys) return keys();
  const [{ openSqliteKeys }, { recordsBeside }] = await Promise.all([
    import("../../stores/sqlite/records/keys.ts"),
    import("../../workspace/database-paths.ts"),
  ]);
  return openSqliteKeys(recordsBeside(databasePath));
}
