import { beforeAll, expect } from "vitest";

/** Runs before every test file. Those of one process run one after the other: none may leave another environment or folder to the next. */
beforeAll(() => {
  const [variables, folder] = [{ ...process.env }, process.cwd()];
  return () => {
    expect({ ...process.env }).toEqual(variables);
    expect(process.cwd()).toBe(folder);
  };
});
