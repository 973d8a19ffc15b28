import { describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { search } from "../../index.ts";
import { searchInput } from "../../options.ts";
import { auto } from "../../recipes/auto.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { resolve } from "./resolve.ts";

const things = ["upload", "session", "invoice", "lamp", "door", "parcel", "ticket", "window"];
const deeds = ["open", "close", "repair", "count", "paint", "send", "store", "print"];
const tree = Object.fromEntries(
  things.map((thing) => [
    `src/${thing}.py`,
    deeds
      .map(
        (deed) =>
          `def ${deed}_${thing}(${thing}):\n    """Will ${deed} the ${thing}."""\n    return ${thing}.${deed}()\n`,
      )
      .join("\n"),
  ]),
);
const report =
  "A parcel is lost\n\nWhoever sends a parcel finds that it is not stored.\n\nThe ticket is printed nevertheless.\n";

describe("looking for files by vectors", () => {
  async function comparesVectors(query: string, strategies?: string[]) {
    const root = folder(tree);
    await search({ query: "parcel", path: root });
    const workspace = await openWorkspace(root);
    onTestFinished(() => workspace.close());
    const request = searchInput.parse({ query, ...(strategies ? { strategies } : {}) });
    const { findings } = await resolve(request, auto, workspace);
    const files = findings.find(({ source }) => source.shelf === "files")!;
    return files.candidates.some(({ signals }) => signals.similar !== undefined);
  }

  it("is done where they count, and not for a report, where they do not", async () => {
    expect(await comparesVectors("who sends the parcel")).toBe(true);
    expect(await comparesVectors(report)).toBe(false);
  });

  it("is done for a report, too, when nothing else is asked for", async () => {
    expect(await comparesVectors(report, ["similar"])).toBe(true);
  });
});
