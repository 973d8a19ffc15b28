import type { BundleStore } from "../../bundles.ts";
import type { PostgresSession } from "../engine/session/session.ts";

export function bundleStore(session: PostgresSession): BundleStore {
  return {
    async get(owner, name) {
      const row = await session
        .of(owner)
        .get<{ given: Uint8Array }>("SELECT given FROM bundles WHERE owner = $1 AND name = $2", [name]);
      return row?.given;
    },
    put: (owner, name, given, keep) =>
      session.transaction(
        owner,
        async (queries) => {
          await Promise.all([
            queries.run(
              `INSERT INTO bundles(owner, name, place, given)
               SELECT $1, $2, coalesce((SELECT max(place) FROM bundles WHERE owner = $1), 0) + 1, $3
               ON CONFLICT (owner, name) DO UPDATE SET place = excluded.place, given = excluded.given`,
              [name, given],
            ),
            queries.run(
              `DELETE FROM bundles WHERE owner = $1 AND place <=
               (SELECT place FROM bundles WHERE owner = $1 ORDER BY place DESC LIMIT 1 OFFSET $2)`,
              [keep],
            ),
          ]);
        },
        { idempotent: true },
      ),
  };
}
