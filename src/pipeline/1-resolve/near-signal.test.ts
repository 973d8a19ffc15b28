import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { search } from "../../index.ts";

const report =
  "The parcel is lost\n\nWhoever sends a parcel finds that the parcel is not stored, whatever label it has.\n\nThe parcel is paid nevertheless.\n";

/**
 * Nine files about parcels, each less than the one before, and two that say the same of a label, which one of them
 * imports.
 */
function parcels(imported: string) {
  const sends = Array.from({ length: 9 }, (_, i) => {
    const steps = Array.from({ length: 10 - i }, (_, step) => `    store_parcel(parcel, ${step})\n`).join("");
    const first = i === 0 ? `from src.${imported} import Label\n\n` : "";
    return [`src/parcel_${i}.py`, `${first}def send_parcel_${i}(parcel):\n    """Send a parcel."""\n${steps}`];
  });
  const label = 'class Label:\n    """A label."""\n\n    def read(self):\n        return self.text\n';
  return folder({ ...Object.fromEntries(sends), "src/alpha.py": label, "src/omega.py": label.replace("A", "Some") });
}

async function filesFor(query: string, path: string): Promise<string[]> {
  const { results } = await search({ query, path, types: ["file"], minScore: 0 });
  return results.map((result) => result.path);
}

describe("what the leading files of a report import", () => {
  it("comes before files that nothing leads to, and behind the leading ones", async () => {
    for (const [imported, other] of [
      ["alpha", "omega"],
      ["omega", "alpha"],
    ] as const) {
      const files = await filesFor(report, parcels(imported));
      const place = (name: string) => files.indexOf(`src/${name}.py`);
      expect(place(imported)).toBeLessThan(place(other));
      expect(place(imported)).toBeGreaterThan(7);
    }
  });
});
