import { beforeAll, expect } from "vitest";
import { endFile } from "./after-file.ts";

/**
 * Runs before every test file. Those of one process run one after the other: none may leave another environment or
 * folder to the next.
 */
beforeAll(() => {
  const [variables, folder] = [{ ...process.env }, process.cwd()];
  return async () => {
    await endFile();
    expect({ ...process.env }).toEqual(variables);
    expect(process.cwd()).toBe(folder);
  };
});
