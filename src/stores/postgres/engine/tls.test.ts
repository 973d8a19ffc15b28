import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canStartClusters, startPrimary, type TestCluster } from "../replicas/cluster.samples.ts";
import { failure } from "./failure.samples.ts";
import { openPostgresSession } from "./open.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

/**
 * A server with a certificate for one address, signed by an authority that is made for the test, which takes no
 * connection without TLS.
 */
describe.skipIf(!canStartClusters || !hasOpenssl)("a server that wants TLS", () => {
  let cluster: TestCluster;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "dossier-tls-"));
    const openssl = (...values: string[]) => execFileSync("openssl", values, { cwd: folder, stdio: "ignore" });
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.crt", "-days", "2", "-subj", "/CN=Test authority");
    openssl("req", ...key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=127.0.0.1");
    writeFileSync(join(folder, "names"), "subjectAltName=IP:127.0.0.1\n");
    const signed = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
    openssl("x509", "-req", "-in", "server.csr", "-out", "server.crt", ...signed);
    cluster = await startPrimary();
    const data = join(cluster.folder.outside, "data");
    const { uid, gid } = statSync(data);
    for (const file of ["server.crt", "server.key"]) {
      const place = join(data, file);
      copyFileSync(join(folder, file), place);
      chmodSync(place, 0o600);
      chownSync(place, uid, gid);
    }
    writeFileSync(
      join(data, "pg_hba.conf"),
      "local all postgres trust\nhost all postgres 127.0.0.1/32 trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n",
    );
    cluster.stop();
    cluster.start({ ssl: "on" });
  }, 60_000);
  afterAll(() => {
    cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (parameters: Record<string, string>, host = "127.0.0.1") => {
    const url = new URL(cluster.url);
    url.hostname = host;
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return openPostgresSession(url.href, { workspace: "w" });
  };
  const words = (error: Error): string =>
    `${error.message} ${error.stack} ${error.cause instanceof Error ? words(error.cause) : ""}`;

  it("is used with a certificate that is checked, for statements and for what processes tell each other", async () => {
    const session = await open({ sslmode: "verify-full", sslrootcert: join(folder, "ca.crt") });
    const release = await session.signals!.tryLock("something");
    const connections = await session.shared.all(
      "SELECT DISTINCT s.ssl FROM pg_stat_ssl AS s JOIN pg_stat_activity AS a USING (pid) WHERE a.usename = current_user",
    );
    expect(connections).toEqual([{ ssl: true }]);
    await release!();
    await session.close();
  });

  it("is refused by name when nobody we know signed it, or it is another's", async () => {
    const unknown = await failure(open({ sslmode: "verify-full" }));
    expect(unknown.code).toBe("database-refused");
    expect(unknown.message).toMatch(/certificate/i);
    const another = await failure(open({ sslmode: "verify-full", sslrootcert: join(folder, "ca.crt") }, "localhost"));
    expect(another.code).toBe("database-refused");
    expect(another.message).toMatch(/certificate|altnames/i);
    for (const error of [unknown, another]) expect(words(error)).not.toMatch(/se(@|%40)cret/);
  });

  it("refuses who comes without TLS, and that is named", async () => {
    const error = await failure(open({ sslmode: "disable" }));
    expect(error.code).toBe("database-refused");
    expect(words(error)).not.toMatch(/se(@|%40)cret/);
  });
});
