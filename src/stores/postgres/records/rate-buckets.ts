import { createHash } from "node:crypto";
import type { RateBuckets } from "../../rate-buckets.ts";
import type { PostgresSession } from "../engine/session/session.ts";

/**
 * Token buckets, without an owner, like API keys. An unlogged table: after a crash of the server all buckets are full.
 * `granted`: what the last caller got, stored because an UPDATE cannot return the old value.
 */
export const rateTables = `
CREATE UNLOGGED TABLE rate_buckets(
  workspace text COLLATE "C" NOT NULL, caller text COLLATE "C" NOT NULL, tokens double precision NOT NULL,
  granted double precision NOT NULL, at timestamptz NOT NULL, PRIMARY KEY(workspace, caller)
);
CREATE INDEX rate_buckets_at ON rate_buckets(at);
`;

// The server's clock counts, not those of the processes. A caller that waited for the row has an older time than the
// row.
const filled = "least($4, b.tokens + $3 * greatest(0, extract(epoch FROM statement_timestamp() - b.at)::float8))";
const take = `INSERT INTO rate_buckets AS b(workspace, caller, tokens, granted, at)
  VALUES($1, $2, $4::float8 - least($5, floor($4::float8)), least($5, floor($4::float8)), statement_timestamp())
  ON CONFLICT (workspace, caller) DO UPDATE SET tokens = ${filled} - least($5::float8, floor(${filled})),
    granted = least($5, floor(${filled})), at = greatest(b.at, statement_timestamp())
  RETURNING tokens, granted`;

/**
 * Full buckets are deleted. Number of calls of a process between two cleanings, and seconds after which a bucket is
 * full.
 */
const betweenCleanings = 1000;
const longestKept = 60;

/** The buckets of a workspace's service over a session. One round trip, which blocks no other caller. */
export function postgresRateBuckets({ shared, workspace }: PostgresSession): RateBuckets {
  let calls = 0;
  return {
    async take(caller, { rate, size }, requested) {
      // Only a hash of the address is stored.
      const hash = createHash("sha256").update(caller).digest("base64url").slice(0, 22);
      const answer = shared.get<{ tokens: number; granted: number }>(take, [workspace, hash, rate, size, requested]);
      if (calls++ % betweenCleanings === 0) {
        const seconds = Math.max(longestKept, (2 * size) / rate);
        const clean =
          "DELETE FROM rate_buckets WHERE workspace = $1 AND at < statement_timestamp() - $2 * interval '1 second'";
        // A failed cleaning is made up for by the next one.
        shared.run(clean, [workspace, seconds]).catch(() => undefined);
      }
      const { tokens, granted } = (await answer)!;
      return { granted, wait: granted > 0 ? 0 : Math.max(0, (1 - tokens) / rate) };
    },
  };
}
