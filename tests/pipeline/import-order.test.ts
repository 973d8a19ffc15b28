import { expect, it } from "vitest";
import { context } from "../../src/index.ts";
import { folder } from "../workspace.ts";

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
  });
  const { text } = await context({ query: "sendParcel checkParcel", path });
  const imported = [...text.matchAll(/^import \{ (\w+)/gm)].map(([, name]) => name);
  expect(imported).toEqual(["open", "weigh", "stamp", "tie"]);
});
