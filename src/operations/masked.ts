import { redact } from "../text/secrets.ts";

/** A text without keys and passwords, for surfaces that give to a model what an operation gives to its owner as it is. */
export function masked(text: string): string {
  return redact(text).text;
}
