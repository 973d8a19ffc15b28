import { DossierError } from "../errors.ts";
import { isDatabaseUrl } from "../stores/postgres/engine/address.ts";

/** The database that replaces the files beside the root. */
export type ChosenDatabase = {
  url: string;
  /** Named after Dossier: any program may read the common variables. */
  isMeant: boolean;
};

/** The variable that `--store` sets for its call and for the processes that it starts. */
export const ownVariable = "DOSSIER_DATABASE_URL";
export const sharedVariable = "DATABASE_URL";
/** The value that selects files, whatever other variables are set. */
export const filesStore = "files";

/**
 * The database that is chosen, if one is. DATABASE_URL often belongs to an application: the address of another kind of
 * database there is not for us, and in one of ours nothing is made beside another's tables (engine/foreign-tables.ts).
 */
export function chosenDatabase(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): ChosenDatabase | undefined {
  const { [ownVariable]: own, [sharedVariable]: shared } = variables;
  if (own === filesStore) return undefined;
  if (own) return { url: own, isMeant: true };
  if (!shared || isOfAnotherKind(shared)) return undefined;
  return { url: shared, isMeant: false };
}

/** `mysql://…`, `sqlite:///…`, `postgresql+asyncpg://…`. */
function isOfAnotherKind(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(url) && !isDatabaseUrl(url);
}

/** The address that a command means when it names `DATABASE_URL`, so that no password has to be typed. */
export function addressFromEnvironment(): string {
  const { [ownVariable]: own, [sharedVariable]: shared } = process.env;
  const address = own && own !== filesStore ? own : shared;
  if (address) return address;
  throw new DossierError("bad-input", `${sharedVariable} is not set in the environment.`);
}
