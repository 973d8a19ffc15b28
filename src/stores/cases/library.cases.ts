import { afterEach, beforeEach, describe } from "vitest";
import type { LibraryStore } from "../library.ts";
import { documentCases, documentChangeCases } from "./library.cases.documents.ts";
import { ownerCases } from "./library.cases.owners.ts";
import { modelCases } from "./library.cases.property.ts";
import { branchCases, messageCases, threadCases } from "./library.cases.threads.ts";
import { referenceCases, usageCases } from "./library.cases.usage.ts";

/** What every engine of the library must do. `open` gives a new, empty store each time. */
export function libraryCases(name: string, open: () => Promise<LibraryStore>): void {
  describe(name, () => {
    let store: LibraryStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });
    const current = () => store;

    describe("documents", () => documentCases(current));
    describe("deleting and moving documents", () => documentChangeCases(current));
    describe("threads", () => threadCases(current));
    describe("messages", () => messageCases(current));
    describe("branches", () => branchCases(current));
    describe("references", () => referenceCases(current));
    describe("usage", () => usageCases(current));
    describe("owners", () => ownerCases(current));
    describe("any sequence of operations", () => modelCases(current));
  });
}
