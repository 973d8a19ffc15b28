import { describe, expect, it } from "vitest";
import { nearDuplicatesOf, sameWords } from "./duplicates.ts";

const long = Array.from({ length: 60 }, (_, i) => `word${i}`);

describe("near-duplicates", () => {
  it("are texts with the same words, whatever their case, spaces and punctuation", () => {
    expect(sameWords("Use tabs, not spaces.", "use  TABS not\nspaces")).toBe(true);
    expect(sameWords("Use tabs, not spaces.", "Use spaces, not tabs.")).toBe(false);
    expect(sameWords("The port is 8080", "The port is 8081")).toBe(false);
  });

  it("are long texts that differ in a few words; of short ones every word counts", () => {
    const changed = long.with(30, "another");
    const duplicates = nearDuplicatesOf(long.join(" "), [
      { id: "c", text: changed.join(" ") },
      { id: "b", text: long.join(", ").toUpperCase() },
      { id: "d", text: long.slice(0, 40).join(" ") },
      { id: "a", text: long.join(" ") },
    ]);
    expect(duplicates.map(({ of }) => of.id)).toEqual(["a", "b", "c"]);
    expect(duplicates.map(({ similarity }) => similarity)).toEqual([1, 1, 59 / 60]);
    expect(nearDuplicatesOf("We deploy on Fridays", [{ id: "a", text: "We deploy on Mondays" }])).toEqual([]);
  });
});
