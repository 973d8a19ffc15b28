import type { z } from "zod";
import { folder } from "../../../tests/workspace.ts";
import { type CallOptions, call } from "../core/call.ts";
import { experience } from "./experience.ts";

export type SampleExperience = z.input<typeof experience.input>;

export const attempt = {
  domain: "debugging",
  strategy: "read-the-error",
  goal: "login works again",
  hypothesis: "the cookie is cut",
  action: "log its length",
  prediction: "it is 4096",
} as const;

/** Calls on a workspace of its own, opened anew each time as a command line does. */
export function workspaceCalls() {
  const path = folder({ "readme.md": "# Shop\n" });
  return async (input: SampleExperience, options?: CallOptions) =>
    (await call(experience, { path, ...input }, options)).output;
}

/** The error that refused a call. */
export async function refusal(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await promise.then(
    () => undefined,
    (thrown: { code: string; message: string }) => thrown,
  );
  return { code: error?.code ?? "none", message: error?.message ?? "" };
}
