import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../../store.ts";
import { postgresStore } from "../engine/open.ts";
import { engineName, openTestDatabase, type TestDatabase, testDatabaseUrl } from "../engine/server.samples.ts";
import type { PostgresSession } from "../engine/session/session.ts";
import { clusteredVectors, recallOf, writeClustered } from "./clustered-vectors.samples.ts";
import { mostCompared } from "./model-vectors.ts";

const model = "clustered";
/** More than are compared one by one, where there is a server; PGlite would be minutes over its index. */
const count = testDatabaseUrl === undefined ? 600 : mostCompared + 1000;

let database: TestDatabase;
let session: PostgresSession;
let store: Store;
beforeAll(async () => {
  database = await openTestDatabase();
  session = await database.session();
  store = postgresStore(session);
}, 60_000);
afterAll(async () => {
  await store.close();
  await database.close();
}, 60_000);

/** Which of eight partitions the owner's rows are in. */
async function partitionOf(owner: string): Promise<string> {
  const row = await session
    .of(owner)
    .get<{ partition: string }>("SELECT tableoid::regclass::text AS partition FROM shelves WHERE owner = $1");
  return row!.partition;
}

describe(`vectors of models in ${engineName}`, () => {
  it("are found as comparing each would find them, of an owner with many among others in the same index", async () => {
    const vectors = clusteredVectors(7, { dimensions: 64, clusters: 200 });
    const written = await writeClustered(store, "many", { model, count, vectors });
    const partition = await partitionOf("many");
    let beside = 0;
    for (let number = 0; number < 24; number++) {
      const owner = `other ${number}`;
      await store.writeMetadata(owner, "there", new Uint8Array());
      if ((await partitionOf(owner)) !== partition) continue;
      beside++;
      await writeClustered(store, owner, { model, count: Math.ceil(count / 10), vectors });
    }
    const { recall } = await recallOf(store, "many", { model, written, vectors, queries: 60, limit: 20 });
    console.log(`recall ${recall.toFixed(3)} of the 20 nearest, ${count} vectors of one owner beside ${beside} others`);
    expect(beside).toBeGreaterThan(0);
    expect(recall).toBeGreaterThanOrEqual(0.97);
  }, 300_000);
});
