import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import { copyOwner, differences, type OwnerSum, sumOf } from "../../stores/copy.ts";
import { type Transfer, transferParts } from "../../stores/transfer.ts";
import { hashText } from "../../text/hash.ts";
import { type Environment, operation } from "../core/operation.ts";
import { checkStep } from "../core/steps.ts";
import { paint } from "../terminal/colours.ts";
import { counted, grouped, plain } from "../terminal/phrases.ts";
import { initDatabase, openPlace, placesOf } from "./store-place.ts";

const steps = ["copy", "verify", "init"] as const;
const place = z.string().trim().min(1).max(4096);

const input = z.object({
  step: z.enum(steps).describe("What to do: copy, verify, init"),
  from: place
    .optional()
    .describe("A workspace's folder or name, a postgres:// address, or DATABASE_URL for the one in the environment"),
  to: place.optional().describe("The same, for where it goes or what it is compared with"),
  owner: z.string().min(1).max(200).optional().describe("Only what this owner has; all owners and keys by default"),
  path,
  as: z.string().trim().min(1).max(1000).optional().describe("What the workspace is called in the database"),
});

const ownerShape = z.object({
  owner: z.string(),
  rows: z.number().int().describe("Rows of all parts"),
  parts: z.record(z.enum(transferParts), z.number().int()),
  checksum: z.string().describe("Of every row: the same in every engine for the same content"),
  written: z.number().int().optional().describe("Of a copy: rows that were not there already"),
  differs: z.array(z.string()).describe("Of two stores: parts that are not the same"),
});
type OwnerResult = z.output<typeof ownerShape>;

const output = z.object({
  from: z.string(),
  to: z.string().optional(),
  server: z.string().optional().describe("Of a database that was made ready: the server's version"),
  owners: z.array(ownerShape),
  keys: z.number().int().describe("Keys of the service; 0 where only one owner was asked for"),
  same: z.boolean().describe("Whether everything that was compared is the same"),
});

const takes = {
  copy: { needs: ["from", "to"], may: ["owner", "as"] },
  verify: { needs: [], may: ["from", "to", "owner", "as"] },
  init: { needs: [], may: ["from"] },
};

export const store = operation({
  name: "store",
  command: {
    copy: {
      words: "store copy",
      summary: "Copy memories, library and keys between SQLite and PostgreSQL, and compare",
    },
    verify: { words: "store verify", summary: "Count and sum what a store holds, and compare it with another" },
    init: {
      words: "store init",
      summary: "Make Dossier's schema in a PostgreSQL database, also beside others' tables",
    },
  },
  group: "Index",
  summary: "Copy what cannot be made again from one store to another (SQLite, PostgreSQL), and check it",
  input,
  output,
  positional: ["step", "from", "to"],
  takes,
  // Addresses and folders of this machine: not for remote callers.
  access: "admin",
  onlyOn: "cli",
  examples: [
    { command: "dossier store copy . DATABASE_URL", what: "to the database that the environment names" },
    { command: "dossier store copy postgres://localhost/dossier ./restored --as shop", what: "and back into a folder" },
    { command: "dossier store init DATABASE_URL", what: "from now on the database that the environment names is used" },
    { command: "dossier store verify . DATABASE_URL", what: "the same on both sides? exit status 1 when not" },
  ],
  exit: ({ same }) => (same ? 0 : 1),
  async run(input, environment) {
    checkStep("store", takes, input, environment);
    if (input.step === "init") return { ...(await initDatabase(input.from)), owners: [], keys: 0, same: true };
    const isCopy = input.step === "copy";
    const typedPlaces = [input.from ?? input.path, ...(input.to === undefined ? [] : [input.to])];
    const places = await placesOf(typedPlaces, input.as, { written: isCopy });
    const from = await openPlace(places[0]!, { create: false });
    try {
      const to = places[1] && (await openPlace(places[1], { create: isCopy }));
      try {
        return await copyOrCompare({ from, to, isCopy, environment }, input.owner);
      } finally {
        await to?.close();
      }
    } finally {
      await from.close();
    }
  },
  text({ from, to, server, owners, keys, same }, { step }, colour) {
    const p = paint(colour);
    if (step === "init") return `${plain(from)} is ready (${server}). DATABASE_URL or --store moves everything there.`;
    const lines = owners.map(({ owner, rows, written, differs, checksum, parts }) => {
      const counts = transferParts.filter((part) => parts[part]).map((part) => `${grouped(parts[part]!)} ${part}`);
      const news = written === undefined ? "" : `, ${grouped(written)} of them written`;
      const state = differs.length > 0 ? p.red(`differs in ${differs.join(", ")}`) : p.dim(`checksum ${checksum}`);
      return `${p.bold(plain(owner))}: ${counted(rows, "row")}${news} (${counts.join(", ") || "nothing"}); ${state}`;
    });
    const summary = step === "copy" ? `${plain(from)} was copied to ${plain(to!)}` : `${plain(from)} holds`;
    const compared = to === undefined ? "" : same ? " Both are the same." : " They are not the same.";
    return [...lines, `${summary}: ${counted(owners.length, "owner")}, ${counted(keys, "key")}.${compared}`].join("\n");
  },
});

type TransferJob = { from: Transfer; to: Transfer | undefined; isCopy: boolean; environment: Environment };

async function copyOrCompare(job: TransferJob, only: string | undefined): Promise<z.output<typeof output>> {
  const { from, to, isCopy } = job;
  const owners = only === undefined ? await allOwners(job) : [only];
  const results: OwnerResult[] = [];
  for (const owner of owners) results.push(await copyOrCompareOwner(job, owner));
  const keys = only === undefined ? await from.keys() : [];
  if (isCopy && keys.length > 0) await to!.writeKeys(keys);
  const isSame = results.every(({ differs }) => differs.length === 0);
  return { from: from.shown, ...(to && { to: to.shown }), owners: results, keys: keys.length, same: isSame };
}

/** A comparison also covers owners that only the other side has; a copy does not. */
async function allOwners({ from, to, isCopy }: TransferJob): Promise<string[]> {
  const others = to && !isCopy ? await to.owners() : [];
  return [...new Set([...(await from.owners()), ...others])].sort();
}

async function copyOrCompareOwner(
  { from, to, isCopy, environment: { progress, signal } }: TransferJob,
  owner: string,
): Promise<OwnerResult> {
  const counting = (stage: string, total?: number) => {
    let done = 0;
    return (rows: number) => {
      signal?.throwIfAborted();
      done += rows;
      progress?.({ stage, done, ...(total !== undefined && { total }), detail: owner });
    };
  };
  const before = await sumOf(from, owner, counting("Counting"));
  const total = rowsOf(before);
  const writtenRows = isCopy ? await copyOwner(from, to!, owner, counting("Copying", total)) : undefined;
  const differs = to ? differences(before, await sumOf(to, owner, counting("Comparing", total))) : [];
  if (isCopy && differs.length > 0) {
    const parts = differs.join(", ");
    const message = `${from.shown} was written to while ${JSON.stringify(owner)} was copied (${parts}); copy it again for the rest.`;
    throw new DossierError("changed-meanwhile", message);
  }
  return {
    owner,
    rows: total,
    parts: Object.fromEntries(transferParts.map((part) => [part, before.parts[part].rows])) as OwnerResult["parts"],
    checksum: checksumOf(before),
    ...(writtenRows !== undefined && { written: writtenRows }),
    differs,
  };
}

const rowsOf = ({ parts }: OwnerSum): number => transferParts.reduce((sum, part) => sum + parts[part].rows, 0);

/** One checksum over all parts, to compare a backup with later. */
function checksumOf({ parts }: OwnerSum): string {
  return hashText(transferParts.map((part) => parts[part].checksum).join(""));
}
