import type { InputField } from "../../operations/core/fields.ts";

/** One flag of the command line: a field of an operation's input, or one that every command has. */
export type Flag = Pick<InputField, "type" | "description" | "choices"> & {
  /** Without the dashes: `max-tokens`. */
  name: string;
  short?: string;
  /** The input it fills; flags of the command line itself have none. */
  field?: InputField;
};

/** Flags that every command has. This file loads no schema, so that --version stays quick. */
export const globalFlags: Flag[] = [
  { name: "json", type: "boolean", description: "Print the whole result as JSON" },
  { name: "quiet", short: "q", type: "boolean", description: "Show no progress and no warnings" },
  { name: "color", type: "boolean", description: "Colour even in a pipe; --no-color never colours" },
  {
    name: "store",
    type: "string",
    description: "Keep all in this database (postgres://…; DATABASE_URL for the one in that variable) or in files",
  },
  { name: "debug", type: "boolean", description: "Show the stack trace of an error" },
  { name: "help", short: "h", type: "boolean", description: "Show this help" },
  { name: "version", short: "V", type: "boolean", description: "Print the version" },
];

/** Shells with a completion script. */
export const shells = ["bash", "zsh", "fish"] as const;

/** `maxTokens` -> `max-tokens`. */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
