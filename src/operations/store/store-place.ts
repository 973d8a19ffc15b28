import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DossierError } from "../../errors.ts";
import type { Transfer } from "../../stores/transfer.ts";
import { addressFromEnvironment } from "../../workspace/store-choice.ts";
import { rootOf, writableRootOf } from "../core/workspace-root.ts";

/** Stands for the address in the environment, so that no password has to be typed. */
const fromEnvironment = "DATABASE_URL";

/** Where records and library are: a workspace's folder, or a database with the name that the workspace has there. */
export type StorePlace = { folder: string } | { url: string; workspace: string };

/**
 * The places of a copy or comparison. In a database the workspace is called `as`; else as the folder on the other side
 * is called, or by its path.
 */
export async function placesOf(
  typedPlaces: readonly string[],
  as: string | undefined,
  { written: isWritten }: { written: boolean },
): Promise<StorePlace[]> {
  const { isDatabaseUrl } = await import("../../stores/postgres/engine/address.ts");
  const addresses = typedPlaces.map((place) => (place === fromEnvironment ? addressFromEnvironment() : place));
  const folders = await Promise.all(
    addresses.map((place, i) => {
      if (isDatabaseUrl(place)) return undefined;
      // The target is the last one.
      return isWritten && i === addresses.length - 1 ? writableRootOf({ path: place }) : rootOf({ path: place });
    }),
  );
  const other = folders.find((folder) => folder !== undefined);
  const workspace = as ?? (other === undefined ? undefined : await nameInDatabase(other));
  return addresses.map((address, i) => {
    const folder = folders[i];
    if (folder !== undefined) return { folder };
    if (workspace !== undefined) return { url: address, workspace };
    throw new DossierError("bad-input", "A database holds many workspaces: say with --as which one is meant.");
  });
}

/** The default name of a workspace in a database. */
async function nameInDatabase(folder: string): Promise<string> {
  const { nameOfWorkspace } = await import("../../workspace/registry.ts");
  return nameOfWorkspace(folder) ?? folder;
}

/** Creates our schema in a database, whatever else is in it: the user asked for it explicitly. */
export async function initDatabase(place = fromEnvironment): Promise<{ from: string; server: string }> {
  const { openPostgresSession } = await import("../../stores/postgres/engine/open.ts");
  const address = place === fromEnvironment ? addressFromEnvironment() : place;
  const session = await openPostgresSession(address, { workspace: "" });
  await session.close();
  return { from: session.shown, server: session.server };
}

/** Opens a place; a folder without records only where they are to be written. */
export async function openPlace(place: StorePlace, { create }: { create: boolean }): Promise<Transfer> {
  if ("url" in place) {
    const [{ openPostgresSession }, { postgresTransfer }] = await Promise.all([
      import("../../stores/postgres/engine/open.ts"),
      import("../../stores/postgres/records/transfer.ts"),
    ]);
    return postgresTransfer(
      await openPostgresSession(place.url, { workspace: place.workspace, creation: create ? "always" : "never" }),
    );
  }
  const [{ hasRecordsIn, locateDatabase, recordsBeside }, { openSqliteTransfer }] = await Promise.all([
    import("../../workspace/database-paths.ts"),
    import("../../stores/sqlite/records/transfer.ts"),
  ]);
  if (!create && !hasRecordsIn(place.folder)) {
    throw new DossierError("not-found", `Nothing was ever written down in ${place.folder}.`);
  }
  const path = recordsBeside(locateDatabase(place.folder, true));
  mkdirSync(dirname(path), { recursive: true });
  return openSqliteTransfer(path);
}
