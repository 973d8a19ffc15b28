import { expect, it } from "vitest";
import { context } from "../../src/index.ts";
import { folder } from "../workspace.ts";

const exporting = (name: string) => `export function ${name}(parcel: Parcel): Parcel {\n  return parcel;\n}\n`;

it("prints the imports of several functions in the order of their file", async () => {
  const path = folder({
    "src/parcels.ts": `import { open } from "./boxes.ts";
import { weigh } from "./scales.ts";
import { stamp } from "./stamps.ts";
import { tie } from "./strings.ts";

/** Sends a parcel. */
export function sendParcel(parcel: Parcel): void {
  if (!parcel) return;
  tie(open(parcel));
}

/** Checks a parcel before it is sent. */
export function checkParcel(parcel: Parcel): void {
  if (weigh(parcel) > 10) throw new Error("too heavy to be sent");
  stamp(parcel);
}
`,
    "src/boxes.ts": exporting("open"),
    "src/scales.ts": exporting("weigh"),
    "src/stamps.ts": exporting("stamp"),
    "src/strings.ts": exporting("tie"),
  });
  const { text } = await context({ query: "sendParcel checkParcel", path });
  const imported = [...text.matchAll(/^import \{ (\w+)/gm)].map(([, name]) => name);
  expect(imported).toEqual(["open", "weigh", "stamp", "tie"]);
});

it("prints no import of a library, which says nothing about where the workspace has its code", async () => {
  const path = folder({
    "src/parcels.ts": `import { createHash } from "node:crypto";
import { open } from "./boxes.ts";
import { pad } from "left-pad";

/** Sends a parcel. */
export function sendParcel(parcel: Parcel): string {
  if (!parcel) return pad("", 3);
  return createHash("md5").update(open(parcel)).digest("hex");
}
`,
    "src/boxes.ts": exporting("open"),
  });
  const { items } = await context({ query: "sendParcel", path });
  expect(items[0]!.imports).toEqual(['import { open } from "./boxes.ts";']);
});
