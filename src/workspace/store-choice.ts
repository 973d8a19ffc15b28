import { DossierError } from "../errors.ts";
import { isDatabaseUrl } from "../stores/postgres/engine/address.ts";

/** Where everything is kept instead of files beside the root. */
export type ChosenDatabase = {
  url: string;
  /** It was named for Dossier, and not in a variable that any program reads. */
  isMeant: boolean;
};

/** What `--store` sets for its call and for the processes that it starts. */
const ownVariable = "DOSSIER_DATABASE_URL";
const sharedVariable = "DATABASE_URL";
/** Says that files are meant, whatever other variables there are. */
const files = "files";

/**
 * The database that is chosen, if one is. DATABASE_URL often belongs to an application: the address of another kind of database there is not
 * for us, and in one of ours nothing is made beside another's tables (engine/foreign-tables.ts).
 */
export function chosenDatabase(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): ChosenDatabase | undefined {
  const { [ownVariable]: own, [sharedVariable]: shared } = variables;
  if (own === files) return undefined;
  if (own) return { url: own, isMeant: true };
  if (!shared || isOfAnotherKind(shared)) return undefined;
  return { url: shared, isMeant: false };
}

/** `mysql://…`, `sqlite:///…`, `postgresql+asyncpg://…`. */
function isOfAnotherKind(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(url) && !isDatabaseUrl(url);
}

/** Takes `--store` from a command line: for this process and those that it starts it is as if the variable said it. */
export function chooseStore(args: readonly string[]): void {
  const end = args.indexOf("--");
  const flags = end < 0 ? args : args.slice(0, end);
  const at = flags.findLastIndex((flag) => /^--store(?:=|$)/.test(flag));
  // One without a value is refused where all flags are read.
  const store = flags[at] === "--store" ? flags[at + 1] : flags[at]?.slice("--store=".length);
  if (store === undefined) return;
  if (store === sharedVariable) process.env[ownVariable] = addressFromEnvironment();
  else if (store === files || isDatabaseUrl(store)) process.env[ownVariable] = store;
  else {
    // It may hold a password, so it is not repeated.
    const message = `--store takes the address of a database (postgres://…), ${sharedVariable} for the one in that variable, or ${files}.`;
    throw new DossierError("bad-input", message);
  }
}

/** The address that a command means when it names `DATABASE_URL`, so that no password has to be typed. */
export function addressFromEnvironment(): string {
  const { [ownVariable]: own, [sharedVariable]: shared } = process.env;
  const address = own && own !== files ? own : shared;
  if (address) return address;
  throw new DossierError("bad-input", `${sharedVariable} is not set in the environment.`);
}
