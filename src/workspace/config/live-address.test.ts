import { describe, expect, it } from "vitest";
import { liveAddress } from "./live-address.ts";

describe("the address of the Local API", () => {
  it.each([
    ["http://127.0.0.1:8262", "http://127.0.0.1:8262"],
    ["http://127.0.0.1:8262/", "http://127.0.0.1:8262"],
    ["http://localhost:8262/api/", "http://localhost:8262/api"],
    ["http://[::1]:8262", "http://[::1]:8262"],
    ["http://127.1:80", "http://127.0.0.1"],
    ["http://0x7f000001/", "http://127.0.0.1"],
  ])("%s is on this machine", (url, address) => {
    expect(liveAddress(url)).toBe(address);
  });

  it.each([
    "http://example.com:8262",
    "http://127.0.0.1.example.com",
    "http://localhost.example.com",
    "http://0.0.0.0:8262",
    "http://192.168.0.2:8262",
    "http://[::ffff:10.0.0.1]:8262",
    "http://127.0.0.1@example.com",
    "file:///etc/passwd",
    "ftp://127.0.0.1",
    "127.0.0.1:8262",
    "",
    "http://user:pass@127.0.0.1",
    "http://127.0.0.1/?token=x",
  ])("refuses %s", (url) => {
    expect(() => liveAddress(url)).toThrowError(expect.objectContaining({ code: "bad-input" }));
  });

  it("does not repeat what may be a token pasted into the wrong place", () => {
    expect(() => liveAddress("tana-pat-s3cr3t")).toThrowError(
      expect.objectContaining({ message: expect.not.stringContaining("s3cr3t") }),
    );
  });
});
