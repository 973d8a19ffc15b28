import { createHash } from "node:crypto";
import type { RateBuckets } from "../../rate-buckets.ts";
import type { PostgresSession } from "../engine/session.ts";

/**
 * Of no owner, as keys are not. Not written to PostgreSQL's log: after a crash of the server all begin anew. `granted` is what the last caller
 * got, kept because an UPDATE cannot return what was there before.
 */
export const rateTables = `
CREATE UNLOGGED TABLE rate_buckets(
  workspace text COLLATE "C" NOT NULL, caller text COLLATE "C" NOT NULL, tokens double precision NOT NULL,
  granted double precision NOT NULL, at timestamptz NOT NULL, PRIMARY KEY(workspace, caller)
);
CREATE INDEX rate_buckets_at ON rate_buckets(at);
`;

// The server's clock counts, not those of the processes. Whoever had to wait for the row has an older time than the row.
const filled = "least($4, b.tokens + $3 * greatest(0, extract(epoch FROM statement_timestamp() - b.at)::float8))";
const take = `INSERT INTO rate_buckets AS b(workspace, caller, tokens, granted, at)
  VALUES($1, $2, $4::float8 - least($5, floor($4::float8)), least($5, floor($4::float8)), statement_timestamp())
  ON CONFLICT (workspace, caller) DO UPDATE SET tokens = ${filled} - least($5::float8, floor(${filled})),
    granted = least($5, floor(${filled})), at = greatest(b.at, statement_timestamp())
  RETURNING tokens, granted`;

/** Buckets that are full by now are as good as none. Every so many calls of a process, and seconds after which all are. */
const betweenCleanings = 1000;
const longestKept = 60;

/** The buckets of a workspace's service over a session. One round trip, which no other caller waits for. */
export function postgresRateBuckets({ shared, workspace }: PostgresSession): RateBuckets {
  let calls = 0;
  return {
    async take(caller, { rate, size }, wanted) {
      // An address is not kept as it is.
      const hash = createHash("sha256").update(caller).digest("base64url").slice(0, 22);
      const asked = shared.get<{ tokens: number; granted: number }>(take, [workspace, hash, rate, size, wanted]);
      if (calls++ % betweenCleanings === 0) {
        const seconds = Math.max(longestKept, (2 * size) / rate);
        const clean =
          "DELETE FROM rate_buckets WHERE workspace = $1 AND at < statement_timestamp() - $2 * interval '1 second'";
        // What is left over is removed the next time.
        shared.run(clean, [workspace, seconds]).catch(() => undefined);
      }
      const { tokens, granted } = (await asked)!;
      return { granted, wait: granted > 0 ? 0 : Math.max(0, (1 - tokens) / rate) };
    },
  };
}
