import { describe, expect, it } from "vitest";
import { chosenDatabase } from "./store-choice.ts";

describe("the database that is chosen", () => {
  const [own, shared] = ["postgres://me@host/dossier", "postgresql://me@host/app"];

  it.each([
    ["none", {}, undefined],
    ["none by an empty variable", { DATABASE_URL: "", DOSSIER_DATABASE_URL: "" }, undefined],
    ["the one that any program reads", { DATABASE_URL: shared }, { url: shared, isMeant: false }],
    ["the one that is meant", { DATABASE_URL: shared, DOSSIER_DATABASE_URL: own }, { url: own, isMeant: true }],
    ["none where files are meant", { DATABASE_URL: shared, DOSSIER_DATABASE_URL: "files" }, undefined],
    ["none where it is another's kind", { DATABASE_URL: "mysql://me@host/app" }, undefined],
    ["none where it is another library's address", { DATABASE_URL: "postgresql+asyncpg://me@host/app" }, undefined],
    ["what cannot be one, for it to be refused", { DATABASE_URL: "host" }, { url: "host", isMeant: false }],
    [
      "what cannot be one though it is meant",
      { DOSSIER_DATABASE_URL: "mysql://x" },
      { url: "mysql://x", isMeant: true },
    ],
  ])("is %s", (_, variables, chosen) => {
    expect(chosenDatabase(variables)).toEqual(chosen);
  });
});
