import { DossierError } from "../../../errors.ts";

/** The address of a PostgreSQL store, parsed from its URL. Dossier's own parameters are removed from `url`. */
export type DatabaseAddress = {
  /** For the driver: user, password, host, database, TLS. Never printed. */
  url: string;
  /** The same for further hosts, of which one accepts writes at a time: `postgres://me@one:5432,two:5433/db`. */
  otherUrls?: string[];
  /** For messages: the same without the password and the parameters. */
  shown: string;
  /** The schema of all our tables. */
  schema: string;
  /** Limit of connections of this process. */
  pool: number;
  /** Time limit of a statement on the server, milliseconds. */
  statementTimeout: number;
  /** Milliseconds after which a silent server is given up. */
  networkTimeout: number;
  /** Milliseconds to wait for a connection: for the server to accept it, or for another caller to release one. */
  connectTimeout: number;
};

const defaultSchema = "dossier";
/** How much later than the statement timeout a silent server is given up, milliseconds. */
const networkAllowance = 5000;
const defaults = { pool: 10, statement_timeout: 60_000, network_timeout: 0, connect_timeout: 10 };

export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text);
}

/** Parses a URL. The error message never repeats it: it may contain a password. */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const texts = oneForEachHost(text);
  const url = texts.every((each) => isDatabaseUrl(each) && URL.canParse(each)) ? new URL(texts[0]!) : undefined;
  if (!url) throw badUrl("It is not a URL that begins with postgres:// or postgresql://");
  if (url.pathname.length < 2) throw badUrl("It names no database");
  const number = (name: keyof typeof defaults): number => {
    const parameter = url.searchParams.get(name);
    if (name !== "connect_timeout") url.searchParams.delete(name);
    if (parameter === null) return defaults[name];
    const value = Number(parameter);
    if (!Number.isInteger(value) || value < 1) throw badUrl(`Its ${name} is not a whole number above zero`);
    return value;
  };
  const schema = url.searchParams.get("schema") ?? defaultSchema;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw badUrl("Its schema is not a name of small letters, digits and underscores");
  }
  url.searchParams.delete("schema");
  // Which host accepts writes is detected in any case.
  url.searchParams.delete("target_session_attrs");
  const statementTimeout = number("statement_timeout");
  const hosts = texts.map((each) => new URL(each).host);
  const address: DatabaseAddress = {
    schema,
    pool: number("pool"),
    statementTimeout,
    networkTimeout: number("network_timeout") || statementTimeout + networkAllowance,
    connectTimeout: number("connect_timeout") * 1000,
    shown: `${url.protocol}//${url.username ? `${url.username}@` : ""}${hosts.join()}${url.pathname}`,
    url: url.href,
  };
  if (hosts.length > 1) address.otherUrls = hosts.slice(1).map((host) => withHost(url, host));
  return address;
}

/** One URL per host, in the order of the list in PostgreSQL's own multi-host syntax. */
function oneForEachHost(text: string): string[] {
  const [, scheme = "", authority = "", rest = ""] = /^([a-z]+:\/\/)([^/?#]*)(.*)$/is.exec(text) ?? [];
  const at = authority.lastIndexOf("@") + 1;
  const hosts = authority.slice(at).split(",");
  return hosts.length === 1 ? [text] : hosts.map((host) => `${scheme}${authority.slice(0, at)}${host}${rest}`);
}

function withHost(url: URL, host: string): string {
  const other = new URL(url);
  const { hostname, port } = new URL(`${url.protocol}//${host}`);
  other.hostname = hostname;
  other.port = port;
  return other.href;
}

function badUrl(problem: string): DossierError {
  return new DossierError("bad-database-url", `The database's URL cannot be used. ${problem}.`);
}

/** A text without the address's password, wherever it occurs. */
export function withoutPassword(text: string, { url }: Pick<DatabaseAddress, "url">): string {
  const { password } = new URL(url);
  if (password === "") return text;
  return text.replaceAll(password, "***").replaceAll(decodeURIComponent(password), "***");
}
