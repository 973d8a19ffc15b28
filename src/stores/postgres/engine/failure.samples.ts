import { expect } from "vitest";
import { DossierError } from "../../../errors.ts";

/** The named error that some work ends with. */
export async function failure(work: Promise<unknown>): Promise<DossierError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DossierError);
  return error as DossierError;
}
