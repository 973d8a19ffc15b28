import { describe, expect, it, onTestFinished, vi } from "vitest";
import { DossierError } from "../../errors.ts";
import { patiently } from "./writer.ts";

describe("a write into a store that another process holds", () => {
  it("is given up in time, also when the clock is set back meanwhile", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 2) });
    onTestFinished(() => void vi.useRealTimers());
    let attempts = 0;
    const writing = patiently(120, async () => {
      attempts++;
      vi.setSystemTime(Date.UTC(2026, 0, 1));
      throw new DossierError("store-locked", "It is locked.");
    });
    await expect(writing).rejects.toMatchObject({ code: "store-locked" });
    expect(attempts).toBeGreaterThan(1);
  });
});
