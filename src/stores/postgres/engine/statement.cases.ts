import { describe, expect, it } from "vitest";
import type { SqlStatement } from "./connection.ts";
import type { TestDatabase } from "./server.samples.ts";
import { setOwner } from "./session/connections.ts";

type Plan = {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: Plan[];
  [more: string]: unknown;
};

/** What has no plan. */
const withoutPlan = /^\s*(BEGIN|COMMIT|ROLLBACK|CREATE|VACUUM|ANALYZE|DROP|SET)\b/;

/**
 * Reads the plan of every statement that the tests before it have sent: each table of owners' rows is looked into with
 * the owner's number in the condition, so in one partition, and not by row-level security alone. Comes last in a file
 * of tests.
 */
export function statementCases(opened: () => TestDatabase): void {
  describe("its statements", () => {
    it("name the owner wherever they read, and look into one partition", async () => {
      const database = opened();
      const driver = await database.driver();
      const connection = await driver.connect();
      const run = async (statement: SqlStatement) => {
        const [settled] = await connection.send([statement]);
        if (settled!.status === "rejected") throw settled!.reason;
        return settled!.value.rows as Record<string, unknown>[];
      };
      const wrong: string[] = [];
      try {
        const { schema } = database.address;
        await connection.execute(`SET search_path = "${schema}", public`);
        const partitions = new Map(
          (
            await run({
              sql: `SELECT c.relname AS name, right(c.relname, strpos(reverse(c.relname), '_') - 1) AS place FROM pg_inherits AS h
                JOIN pg_class AS c ON c.oid = h.inhrelid WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'r'`,
              values: [schema],
            })
          ).map(({ name, place }) => [name as string, place as string]),
        );
        expect(partitions.size).toBeGreaterThan(100);
        const statements = [...database.sent.values()].filter(
          ({ statement: { sql } }) => sql !== setOwner && !withoutPlan.test(sql),
        );
        expect(statements.length).toBeGreaterThan(5);
        for (const { statement, owner } of statements) {
          await run({ sql: setOwner, values: [String(owner ?? "")] });
          const [row] = await run({ ...statement, sql: `EXPLAIN (FORMAT JSON) ${statement.sql}` });
          const [{ Plan: plan }] = row!["QUERY PLAN"] as [{ Plan: Plan }];
          const places = new Set<string>();
          for (const node of nodesOf(plan)) {
            const place = partitions.get(node["Relation Name"] ?? "");
            if (place === undefined || node["Node Type"] === "ModifyTable") continue;
            places.add(place);
            if (owner === undefined || !conditionsOf(node).includes(`owner = '${owner}'`)) {
              wrong.push(`${node["Relation Name"]}: ${statement.sql}`);
            }
          }
          if (places.size > 1) wrong.push(`${[...places].join()}: ${statement.sql}`);
        }
      } finally {
        connection.ready = false;
        connection.release();
      }
      expect(wrong).toEqual([]);
    }, 60_000);
  });
}

function* nodesOf(plan: Plan): Iterable<Plan> {
  yield plan;
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner);
}

function conditionsOf(node: Plan): string {
  return ["Index Cond", "Recheck Cond", "Filter"].map((name) => String(node[name] ?? "")).join(" ");
}
