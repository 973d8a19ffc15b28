import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/**
 * A PostgreSQL server with pgvector for the tests, on a free loopback port. `npm run -s postgres -- start [folder]`
 * prints DOSSIER_TEST_DATABASE_URL=…, `stop [folder]` stops it. One that runs already is used. An installed PostgreSQL
 * 16 or newer with pgvector is taken. Without one, as root on Debian, stock packages are unpacked into the folder (some
 * 40 s, once). Its data are not safe: it does not wait for the disk.
 */

const oldest = 16;
const newest = 19;
const release = "trixie";
const packages = ["postgresql-17", "postgresql-17-pgvector"];
const [role, database] = ["dossier", "dossier_test"];

/** How programs of the server are run: in `root`, another system's folder, or in this system when it is "". */
type Server = { root: string; programs: string; data: string };

const [verb, given] = process.argv.slice(2);
const folder = resolve(given ?? join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "dossier-postgres"));
const isRoot = process.getuid?.() === 0;

if (verb === "start") console.log(`DOSSIER_TEST_DATABASE_URL=${await start()}`);
else if (verb === "stop") stop();
else fail("Usage: npm run -s postgres -- start|stop [folder]");

async function start(): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const server = installed() ?? unpacked();
  const port = runningPort(server) ?? (await begin(server));
  return `postgres://${role}:${role}@127.0.0.1:${port}/${database}`;
}

function stop(): void {
  const server = installed() ?? (existsSync(join(folder, "root")) ? unpacked() : undefined);
  if (!server || runningPort(server) === undefined) return;
  run(server, `${server.programs}/pg_ctl -D ${server.data} -m fast -w stop`);
}

function installed(): Server | undefined {
  for (let version = newest; version >= oldest; version--) {
    const programs = `/usr/lib/postgresql/${version}/bin`;
    if (!existsSync(`${programs}/pg_ctl`)) continue;
    if (!existsSync(`/usr/share/postgresql/${version}/extension/vector.control`)) continue;
    return { root: "", programs, data: join(folder, `data-${version}`) };
  }
  return undefined;
}

/** Stock Debian packages in a folder of their own: nothing of this system is changed. */
function unpacked(): Server {
  const root = join(folder, "root");
  const versions = join(root, "usr/lib/postgresql");
  if (!existsSync(join(root, "unpacked"))) {
    if (!isRoot) fail("There is no PostgreSQL 16 or newer with pgvector here, and only root can unpack one.");
    if (spawnSync("which", ["debootstrap"]).status !== 0) {
      command("apt-get", ["update", "-qq"]);
      command("apt-get", ["install", "-y", "-qq", "debootstrap"]);
    }
    rmSync(root, { recursive: true, force: true });
    command("debootstrap", ["--variant=minbase", `--include=${packages.join()}`, release, root]);
    writeFileSync(join(root, "unpacked"), "");
  }
  const version = readdirSync(versions).sort().at(-1);
  return { root, programs: `/usr/lib/postgresql/${version}/bin`, data: "/var/lib/postgresql/dossier" };
}

function runningPort(server: Server): string | undefined {
  const lines = existsSync(`${server.root}${server.data}/postmaster.pid`)
    ? readFileSync(`${server.root}${server.data}/postmaster.pid`, "utf8").split("\n")
    : [];
  const [process_, port] = [Number(lines[0]), lines[3]];
  return port !== undefined && existsSync(`/proc/${process_}`) ? port : undefined;
}

async function begin(server: Server): Promise<number> {
  const { programs, data } = server;
  const port = await freePort();
  const place = `${server.root}${data}`;
  if (!existsSync(`${place}/PG_VERSION`)) {
    mkdirSync(place, { recursive: true });
    if (isRoot) command("chown", ["-R", userIn(server), place]);
    run(server, `${programs}/initdb -D ${data} -A trust -E UTF8 --locale=C.UTF-8 -U postgres --no-sync`);
  }
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: data,
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    max_connections: 100,
    shared_buffers: "256MB",
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  run(server, `${programs}/pg_ctl -D ${data} -l ${data}/log -w -o "${options.join(" ")}" start`);
  const psql = (name: string, sql: string) =>
    run(server, `${programs}/psql -q -v ON_ERROR_STOP=1 -h ${data} -p ${port} -U postgres -d ${name} -c "${sql}"`);
  const isNew = !run(
    server,
    `${programs}/psql -Atc "SELECT datname FROM pg_database" -h ${data} -p ${port} -U postgres`,
  )
    .split("\n")
    .includes(database);
  if (isNew) {
    // A role that owns nothing: tests find out when more than a schema of its own is needed.
    psql("postgres", `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
    psql("postgres", `CREATE DATABASE ${database}`);
    psql(
      database,
      `CREATE EXTENSION vector; CREATE EXTENSION pg_trgm; GRANT CREATE ON DATABASE ${database} TO ${role}`,
    );
  }
  return port;
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const listener = createServer().listen(0, "127.0.0.1", () => {
      const address = listener.address();
      listener.close(() => found(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** The number of the user that the server runs as; it refuses to run as root. */
function userIn({ root }: Server): string {
  const line = readFileSync(`${root}/etc/passwd`, "utf8")
    .split("\n")
    .find((each) => each.startsWith("postgres:"));
  if (!line) return fail("The package made no user postgres.");
  const [, , user, group] = line.split(":");
  return `${user}:${group}`;
}

function run(server: Server, line: string): string {
  const shell = isRoot ? ["su", "postgres", "-s", "/bin/sh", "-c", line] : ["sh", "-c", line];
  const [program, ...rest] = server.root === "" ? shell : ["chroot", server.root, ...shell];
  return command(program!, rest);
}

function command(program: string, values: string[]): string {
  // What is printed on standard output is the URL alone. A server that was started keeps its own output, in its log.
  const { status, stdout, stderr, error } = spawnSync(program, values, { encoding: "utf8", cwd: "/" });
  if (status !== 0)
    fail(`${program} failed: ${error?.message ?? (stderr || stdout).trim().split("\n").slice(-5).join("\n")}`);
  return stdout;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
