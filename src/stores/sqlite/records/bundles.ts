import type { BundleStore } from "../../bundles.ts";
import type { Database } from "../engine/driver.ts";

export function bundleStore(database: Database): BundleStore {
  return {
    async get(owner, name) {
      return database.get<{ given: Uint8Array }>("SELECT given FROM bundles WHERE owner = ? AND name = ?", [
        owner,
        name,
      ])?.given;
    },
    async put(owner, name, given, keep) {
      database.transaction("write", () => {
        database.run("DELETE FROM bundles WHERE owner = ? AND name = ?", [owner, name]);
        database.run("INSERT INTO bundles(owner, name, given) VALUES (?, ?, ?)", [owner, name, given]);
        database.run(
          `DELETE FROM bundles WHERE owner = ?1 AND id <=
             (SELECT id FROM bundles WHERE owner = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
          [owner, keep],
        );
      });
    },
  };
}
