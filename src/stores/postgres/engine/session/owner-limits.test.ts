import { describe, expect, it } from "vitest";
import { ownerLimits } from "./owner-limits.ts";

const limited = { pool: 4, connectTimeout: 20, shown: "postgres://host/db" };

describe("connections of one owner", () => {
  it("are half of all at most; the next one waits for its turn, and other owners do not", async () => {
    const limits = ownerLimits({ ...limited, connectTimeout: 60_000 });
    const first = await limits.enter("ada");
    const second = await limits.enter("ada");
    const order: string[] = [];
    const third = limits.enter("ada").then(() => order.push("third"));
    const fourth = limits.enter("ada").then(() => order.push("fourth"));
    const other = await limits.enter("bob");
    expect(order).toEqual([]);
    first();
    first();
    await third;
    expect(order).toEqual(["third"]);
    other();
    second();
    await fourth;
    expect(order).toEqual(["third", "fourth"]);
  });

  it("are waited for no longer than any connection is, with a named failure and nothing lost", async () => {
    const limits = ownerLimits(limited);
    const places = [await limits.enter("ada"), await limits.enter("ada")];
    await expect(limits.enter("ada")).rejects.toMatchObject({ code: "database-busy" });
    for (const leave of places) leave();
    await limits.enter("ada");
    await limits.enter("ada");
    await expect(limits.enter("ada")).rejects.toMatchObject({ code: "database-busy" });
  });

  it("are one even where there is only one connection", async () => {
    const leave = await ownerLimits({ ...limited, pool: 1 }).enter("ada");
    leave();
  });
});
