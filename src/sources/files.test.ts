import { describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../tests/workspace.ts";
import { search } from "../index.ts";
import { isWholeFile } from "../item.ts";
import { analyseQuery } from "../text/analysis/query.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { files } from "./files.ts";

const things = ["upload", "session", "invoice", "lamp", "door", "parcel", "ticket", "window"];
const deeds = ["open", "close", "repair", "count", "paint", "send", "store", "print"];
const tree = Object.fromEntries(
  things.map((thing) => [
    `src/${thing}.py`,
    deeds
      .map((deed) => `def ${deed}_${thing}(${thing}):\n    """Will ${deed} it."""\n    return ${thing}.${deed}()\n`)
      .join("\n"),
  ]),
);

describe("candidates of the files", () => {
  it("all have a similarity, also those that are not among the nearest", async () => {
    const root = folder(tree);
    await search({ query: "parcel", path: root });
    const workspace = await openWorkspace(root);
    onTestFinished(() => workspace.close());
    const query = analyseQuery("who sends the parcel and repairs the lamp");
    const nearestOnly = await files.find(query, { limit: 12, filter: {}, strategies: ["similar"] }, workspace);
    const candidates = await files.find(query, { limit: 12, filter: {}, strategies: ["text", "similar"] }, workspace);
    const units = candidates.filter(({ item }) => !isWholeFile(item.kind));
    expect(nearestOnly).toHaveLength(4);
    expect(units.length).toBeGreaterThan(4);
    expect(units.filter(({ signals }) => signals.similar === undefined)).toEqual([]);
  });
});
