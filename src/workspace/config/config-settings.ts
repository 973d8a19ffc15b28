import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { originKinds } from "../../note.ts";
import { type ConfigFile, checked, settings, wrongPlace } from "../config-file.ts";
import type { Origin, WorkspaceConfig } from "./config.ts";
import { completeLenses, lensSettings } from "./lens-config.ts";
import { liveAddress } from "./live-address.ts";
import { modelSettings } from "./model-settings.ts";
import { weightSettings } from "./weights-config.ts";

/** What the workspace's config file may say. */

const namePattern = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,62}[\p{L}\p{N}])?$/u;
const originName = "takes a name of up to 64 letters, digits, blanks, dots, hyphens and underscores";
const place = "takes the path of a file or folder";
const variable = "takes the name of the environment variable that holds the token, and never the token";
const address = "takes an address on this machine, such as http://127.0.0.1:8262";
const workspaceId = "takes the id or name of a Tana workspace";

const originSettings = settings({
  name: z.string({ error: originName }).regex(namePattern, { error: originName }),
  from: z
    .string({ error: place })
    .regex(/^[^\0]{1,4096}$/, { error: place })
    .optional(),
  kind: z.enum(originKinds, { error: `takes one of ${originKinds.join(", ")}` }).optional(),
  live: settings({
    url: z.string({ error: address }).refine(isLiveAddress, { error: address }),
    tokenVariable: z.string({ error: variable }).regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, { error: variable }),
    workspace: z
      .string({ error: workspaceId })
      .min(1, { error: workspaceId })
      .max(200, { error: workspaceId })
      .optional(),
  }).optional(),
}).refine(({ from, live }) => from !== undefined || live !== undefined, { error: "needs from, live or both" });

const configSettings = settings({
  $schema: z.string({ error: "takes the address of a schema" }).optional(),
  notes: z.array(originSettings, { error: "takes a list of origins" }).default([]),
  lenses: z.record(z.string(), lensSettings, { error: "takes an object with a lens for each name" }).default({}),
  weights: weightSettings.optional(),
  model: modelSettings.optional(),
  engine: z.enum(["on", "off"], { error: "takes on or off" }).optional(),
});

/** The mistake in an origin that is about to be written: the path of the setting, and what it takes. */
export function originFault(origin: Origin): { way: string; takes: string } | undefined {
  const issue = originSettings.safeParse(origin).error?.issues[0];
  return issue && { way: issue.path.join("."), takes: issue.message };
}

/** Whether a token may be sent to this address, no matter who wrote the config file. */
function isLiveAddress(address: string): boolean {
  try {
    return liveAddress(address) !== "";
  } catch (error) {
    if (error instanceof DossierError) return false;
    throw error;
  }
}

/** The settings in a config file. */
export function configOf(file: ConfigFile): WorkspaceConfig {
  const { notes, lenses, weights, model, engine } = checked(file, configSettings);
  const names = new Map<string, number>();
  for (const [position, { name }] of notes.entries()) {
    const first = names.get(name.toLowerCase());
    if (first !== undefined) {
      throw wrongPlace(file, ["notes", position, "name"], `is ${JSON.stringify(name)}, as in notes[${first}]`);
    }
    names.set(name.toLowerCase(), position);
  }
  const others = { ...(weights && { weights }), ...(model && { model }), ...(engine && { engine }) };
  return { notes, lenses: completeLenses(file, lenses), ...others };
}
