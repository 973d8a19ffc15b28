import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dossier } from "../cli/run-cli.ts";
import { bearer, post } from "../http/http-server.ts";
import { ledger } from "../mcp/agent.ts";
import { folder } from "../workspace.ts";
import { missingServer, type OwnDatabase, ownDatabase } from "./own-database.ts";
import { serveProcess } from "./serve-process.ts";

const missing = await missingServer();

describe.skipIf(missing)(`two servers on one database${missing ? ` (${missing})` : ""}`, () => {
  let database: OwnDatabase;
  beforeAll(async () => {
    database = await ownDatabase();
  });
  afterAll(async () => {
    await database.close();
  });
  const makeKey = async (root: string, name: string) => {
    const made = await dossier(["key", "create", name, "--scope", "write", "--json"], {
      cwd: root,
      env: database.machine(),
    });
    return (JSON.parse(made.stdout) as { secret: string }).secret;
  };

  it("take the same keys, and refuse one from the moment it is revoked", async () => {
    const root = folder(ledger);
    const secret = await makeKey(root, "chat");
    const urls = (
      await Promise.all([serveProcess(root, database.machine()), serveProcess(root, database.machine())])
    ).map(({ url }) => url);
    const statuses = () =>
      Promise.all(urls.map(async (url) => (await post(`${url}/v1/lenses`, {}, bearer(secret))).status));
    expect(await statuses()).toEqual([200, 200]);
    const later = await makeKey(root, "later");
    expect((await post(`${urls[1]}/v1/lenses`, {}, bearer(later))).status).toBe(200);
    await dossier(["key", "revoke", "chat"], { cwd: root, env: database.machine() });
    expect(await statuses()).toEqual([401, 401]);
  });

  it("count the requests of a key together", async () => {
    const root = folder(ledger);
    const secret = await makeKey(root, "limited");
    // A burst is one request, and the next comes after longer than this test takes.
    const rate = ["--rate", "0.005"];
    const [one, other] = await Promise.all([
      serveProcess(root, database.machine(), ...rate),
      serveProcess(root, database.machine(), ...rate),
    ]);
    const ask = ({ url }: { url: string }) => post(`${url}/v1/lenses`, {}, bearer(secret));
    expect((await ask(one)).status).toBe(200);
    const refused = await ask(other);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(60);
  });

  it("show at once what was written through the other", async () => {
    const root = folder(ledger);
    const [one, other] = await Promise.all([
      serveProcess(root, database.machine()),
      serveProcess(root, database.machine()),
    ]);
    for (const [i, word] of ["Mirabelle", "Quetsche", "Reneklode"].entries()) {
      const [from, to] = i % 2 === 0 ? [one, other] : [other, one];
      // What it knows before is remembered.
      await post(`${to.url}/v1/context`, { query: `who is ${word}?` });
      await post(`${from.url}/v1/put_document`, {
        document: `people/${i}.md`,
        content: `${word} signs contract ${i}.\n`,
      });
      await post(`${from.url}/v1/remember`, { content: `The auditor is called ${word}, says contract ${i}.` });
      expect((await post(`${to.url}/v1/get_document`, { document: `people/${i}.md` })).text).toContain(word);
      expect((await post(`${to.url}/v1/memories`, {})).text).toContain(word);
      expect((await post(`${to.url}/v1/context`, { query: `who is ${word}?` })).text).toContain(`people/${i}.md`);
    }
  });
});
