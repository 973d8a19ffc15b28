import { DossierError } from "../../errors.ts";
import { isDatabaseUrl } from "../../stores/postgres/engine/address.ts";
import { addressFromEnvironment, filesStore, ownVariable, sharedVariable } from "../../workspace/store-choice.ts";

/** Reads `--store` from a command line and sets the variable, for this process and those that it starts. */
export function chooseStore(args: readonly string[]): void {
  const end = args.indexOf("--");
  const flags = end < 0 ? args : args.slice(0, end);
  const at = flags.findLastIndex((flag) => /^--store(?:=|$)/.test(flag));
  // A flag without a value is refused where all flags are parsed.
  const store = flags[at] === "--store" ? flags[at + 1] : flags[at]?.slice("--store=".length);
  if (store === undefined) return;
  if (store === sharedVariable) process.env[ownVariable] = addressFromEnvironment();
  else if (store === filesStore || isDatabaseUrl(store)) process.env[ownVariable] = store;
  else {
    // The address may hold a password, so the error does not repeat it.
    const message = `--store takes the address of a database (postgres://…), ${sharedVariable} for the one in that variable, or ${filesStore}.`;
    throw new DossierError("bad-input", message);
  }
}
