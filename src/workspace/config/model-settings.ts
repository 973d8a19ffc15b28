import * as z from "zod";
import { settings } from "../config-file.ts";

/**
 * The section `model` of the workspace's config file: `{ "provider": "onnx", "folder": "~/models/bge-small-en-v1.5" }`.
 */

const prefix = z
  .string({ error: "takes the text that is set before what is embedded" })
  .max(1000, { error: "takes a text of up to 1000 characters" })
  .optional();
const count = (most: number) => {
  const takes = `takes a whole number from 1 to ${most}`;
  return z.int({ error: takes }).min(1, { error: takes }).max(most, { error: takes }).optional();
};
const place = "takes the path of a folder with a model";
const name = "takes the name of a model";
const address =
  "takes the address of a server up to /v1, such as http://localhost:11434/v1, without a user or a key in it";
const variable = "takes the name of the environment variable that holds the key, and never the key";

const traits = { queryPrefix: prefix, passagePrefix: prefix, dimensions: count(65_536) };
const modelName = z.string({ error: name }).min(1, { error: name }).max(200, { error: name });

const local = settings({
  provider: z.enum(["static", "onnx"]),
  folder: z.string({ error: place }).regex(/^[^\0]{1,4096}$/, { error: place }),
  model: modelName.optional(),
  pooling: z.enum(["mean", "cls"], { error: "takes mean or cls" }).optional(),
  ...traits,
});

const http = settings({
  provider: z.literal("http"),
  url: z.string({ error: address }).refine(isServerAddress, { error: address }),
  model: modelName,
  keyVariable: z
    .string({ error: variable })
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, { error: variable })
    .optional(),
  batchSize: count(2048),
  concurrency: count(64),
  ...traits,
});

export const modelSettings = z.discriminatedUnion("provider", [local, http], {
  error: "takes an object whose provider is static, onnx or http",
});

export type ModelSettings = z.output<typeof modelSettings>;

/** The mistake in settings that are about to be written: the path of the setting, and what it takes. */
export function modelFault(model: unknown): { way: string; takes: string } | undefined {
  const issue = modelSettings.safeParse(model).error?.issues[0];
  return issue && { way: issue.path.join("."), takes: issue.message };
}

function isServerAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}
