import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import { type KeyInfo, scopes } from "../../stores/keys.ts";
import { defaultOwner } from "../core/call.ts";
import { type Environment, operation } from "../core/operation.ts";
import { type Paint, paint } from "../terminal/colours.ts";
import { parseExpiry } from "../terminal/parse-time.ts";
import { plain } from "../terminal/phrases.ts";
import { openKeys } from "./key-store.ts";

const steps = ["list", "create", "revoke"] as const;

const states = ["valid", "expired", "revoked"] as const;

const keyShape = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string(),
  scope: z.enum(scopes),
  hint: z.string().describe("How the secret begins"),
  state: z.enum(states),
  created: z.string().describe("ISO 8601, as are the others"),
  expires: z.string().optional(),
  used: z.string().optional().describe("Last use, to the minute"),
  revoked: z.string().optional(),
});

type ShownKey = z.output<typeof keyShape>;

const input = z.object({
  step: z.enum(steps).default("list").describe("What to do: list, create, revoke"),
  name: z.string().min(1).max(100).optional().describe("What a new key is for; or the name or id of one to revoke"),
  owner: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(`Whose files, threads and memories it opens; ${defaultOwner} is the command line's. Lists only theirs`),
  scope: z
    .enum(scopes)
    .default("write")
    .describe("read asks, write also changes what the owner has, admin also manages the index"),
  expires: z.string().optional().describe("When it ends by itself: 90d, 1y or a date; never by default"),
  path,
});

type Input = z.output<typeof input>;

export const keys = operation({
  name: "keys",
  command: {
    list: { words: "key list", summary: "List the keys, without their secrets" },
    create: { words: "key create", summary: "Make a key; its secret is shown once" },
    revoke: { words: "key revoke", summary: "Refuse a key from now on" },
  },
  group: "Serve",
  summary: "Make, list and revoke the keys that applications use the HTTP service with",
  input,
  output: z.object({
    keys: z.array(keyShape).describe("The keys that were made, listed or revoked"),
    secret: z
      .string()
      .optional()
      .describe("Of a new key: what the application sends. It is not kept and never shown again"),
  }),
  positional: ["step", "name"],
  takes: {
    list: { needs: [], may: ["owner"] },
    create: { needs: ["name"], may: ["owner", "scope", "expires"] },
    revoke: { needs: ["name"], may: [] },
  },
  access: "admin",
  onlyOn: "cli",
  examples: [
    { command: "dossier key create chat-server --owner ada --scope write --expires 90d", what: "a key for Ada" },
    { command: "dossier key list", what: "all keys, without their secrets" },
    { command: "dossier key revoke chat-server", what: "refuse it from now on" },
  ],
  async run(input, environment) {
    const store = await openKeys(await environment.workspace());
    const now = Date.now();
    try {
      if (input.step === "list") return { keys: (await store.list(input.owner)).map((key) => shownKey(key, now)) };
      const name = nameOf(input, environment);
      if (input.step === "create") {
        const expires =
          input.expires === undefined ? undefined : parseExpiry(input.expires, now, inputName("expires", environment));
        await refuseTaken(await store.list(), name, now);
        const { owner = defaultOwner, scope } = input;
        const { secret, info } = await store.create({ name, owner, scope, at: now, expires });
        return { keys: [shownKey(info, now)], secret };
      }
      if (!(await store.revoke(name, now))) {
        throw new DossierError("not-found", `There is no key ${JSON.stringify(name)} that could be revoked.`);
      }
      const revoked = (await store.list()).find((key) => key.id === name || (key.name === name && key.revoked === now));
      return { keys: revoked ? [shownKey(revoked, now)] : [] };
    } finally {
      await store.close();
    }
  },
  text({ keys, secret }, { step }, colour) {
    const p = paint(colour);
    if (secret !== undefined) return created(keys[0]!, secret, p);
    if (step === "revoke")
      return `${keys.map(({ name, id }) => `${plain(name)} (${id})`).join(", ")} is refused from now on.`;
    if (keys.length === 0)
      return "There is no key: only programs on this machine are served. dossier key create <name> makes one.";
    return keys.map((key) => row(key, p)).join("\n");
  },
});

function nameOf({ step, name }: Input, environment: Environment): string {
  if (name?.trim()) return name.trim();
  const expected = step === "create" ? "what the key is for" : "the id or name of the key";
  throw new DossierError("bad-input", `${inputName("name", environment)} is missing; it takes ${expected}.`);
}

function inputName(key: string, { nameOf = (name) => name }: Environment): string {
  return nameOf(key);
}

/** A key is revoked by its name, so two that work never share one. */
async function refuseTaken(existing: KeyInfo[], name: string, now: number): Promise<void> {
  if (!existing.some((key) => key.name === name && stateOf(key, now) !== "revoked")) return;
  throw new DossierError("already-exists", `There is a key ${JSON.stringify(name)} already.`);
}

function stateOf({ revoked, expires }: KeyInfo, now: number): ShownKey["state"] {
  if (revoked !== undefined) return "revoked";
  return expires !== undefined && expires <= now ? "expired" : "valid";
}

function shownKey(key: KeyInfo, now: number): ShownKey {
  const { id, name, owner, scope, hint } = key;
  const date = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
  return {
    id,
    name,
    owner,
    scope,
    hint,
    state: stateOf(key, now),
    created: new Date(key.at).toISOString(),
    expires: date(key.expires),
    used: date(key.used),
    revoked: date(key.revoked),
  };
}

function created(key: ShownKey, secret: string, p: Paint): string {
  const until = key.expires ? `, until ${key.expires.slice(0, 10)}` : "";
  return [
    `${p.bold(secret)}`,
    `The key ${plain(key.name)} (${key.id}) may ${key.scope} as ${plain(key.owner)}${until}.`,
    "Keep it now: it is not stored and cannot be shown again.",
    p.dim(`Send it as Authorization: Bearer ${key.hint}…`),
  ].join("\n");
}

function row(key: ShownKey, p: Paint): string {
  const { id, name, owner, scope, hint, state, used, expires } = key;
  const painted = state === "valid" ? p.green(state) : p.yellow(state);
  const facts = [
    `${hint}…`,
    `used ${used?.slice(0, 10) ?? "never"}`,
    ...(expires ? [`until ${expires.slice(0, 10)}`] : []),
  ];
  return `${p.bold(plain(name))} ${id} ${scope} as ${plain(owner)}: ${painted} ${p.dim(`(${facts.join(", ")})`)}`;
}
