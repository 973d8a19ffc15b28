import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTime } from "./parse-time.ts";

const now = Date.parse("2026-03-10T12:00:00Z");
const iso = (text: string) => new Date(parseTime(text, now)).toISOString();

describe("a moment", () => {
  it.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T14:30", "2026-01-31T14:30:00.000Z"],
    ["2026-01-31 14:30:05.25", "2026-01-31T14:30:05.250Z"],
    ["2026-01-31T14:30:00+02:00", "2026-01-31T12:30:00.000Z"],
    ["2026-01-31t14:30z", "2026-01-31T14:30:00.000Z"],
    ["2026-01-31T14:30-0100", "2026-01-31T15:30:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["12h", "2026-03-10T00:00:00.000Z"],
    ["30d", "2026-02-08T12:00:00.000Z"],
    ["2 W", "2026-02-24T12:00:00.000Z"],
    ["1y", "2025-03-10T12:00:00.000Z"],
  ])("may be given as %s", (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  it.each([
    "",
    "5",
    "d",
    "-3d",
    "May",
    "yesterday",
    "2026",
    "2026-13-01",
    "2026-02-30",
    "2025-02-29",
    "2026-01-31T25:00",
  ])("is not %j", (text) => {
    expect(() => parseTime(text, now, "--since")).toThrow(
      expect.objectContaining({ code: "bad-input", message: expect.stringContaining("--since takes a date such as") }),
    );
  });

  it("reads back every time that was printed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (time) => {
        expect(parseTime(new Date(time).toISOString(), now)).toBe(time);
      }),
    );
  });
});
