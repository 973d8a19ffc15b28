import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkHost, checkOrigin } from "./host-check.ts";
import { defaultSettings } from "./settings.ts";

const settings = (overrides: Partial<typeof defaultSettings>) => ({ ...defaultSettings, ...overrides });

describe("the name that a server is called by", () => {
  it.each<[string, Partial<typeof defaultSettings>]>([
    ["localhost:8137", {}],
    ["127.0.0.1", {}],
    ["127.1.2.3:80", {}],
    ["[::1]:80", {}],
    ["api.example.org", { allowHost: ["api.example.org"] }],
    ["API.example.org:443", { allowHost: ["api.example.org:8137"] }],
    ["192.168.1.5:8137", { host: "192.168.1.5" }],
    ["[fe80::1]", { host: "[fe80::1]" }],
    ["203.0.113.9:8137", { host: "0.0.0.0" }],
    ["[2001:db8::1]:8137", { host: "::" }],
  ])("%s is taken", (header, overrides) => {
    expect(() => checkHost(header, settings(overrides))).not.toThrow();
  });

  it.each<[string | undefined, Partial<typeof defaultSettings>]>([
    [undefined, {}],
    ["", {}],
    ["evil.example", {}],
    ["203.0.113.9", {}],
    ["evil.example", { host: "0.0.0.0" }],
    ["api.example.org.evil.example", { allowHost: ["api.example.org"] }],
    ["localhost:80:80", {}],
    ["localhost evil.example", {}],
    ["evil.example#localhost", {}],
    ["127.0.0.1.nip.io", {}],
    ["0.0.0.0", {}],
  ])("%s is refused", (header, overrides) => {
    expect(() => checkHost(header, settings(overrides))).toThrow(/is not called/);
  });

  it("is never guessed from any other text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(
          !/^(localhost\.?|127(\.\d{1,3}){3}\.?|\[(::1|::ffff:127(\.\d{1,3}){3})\]\.?)(:\d{1,5})?$/i.test(text.trim()),
        );
        expect(() => checkHost(text, settings({}))).toThrow();
      }),
    );
  });
});

describe("pages", () => {
  it("of the server itself and of allowed origins may ask", () => {
    expect(checkOrigin(undefined, "localhost:1", settings({}))).toBeUndefined();
    expect(checkOrigin("http://localhost:1", "localhost:1", settings({}))).toBeUndefined();
    expect(checkOrigin("https://a.org", "b.org", settings({ allowOrigin: ["https://a.org/"] }))).toBe("https://a.org");
  });

  it.each(["http://localhost:2", "https://evil.example", "null", "", "http://localhost:1.evil.example"])(
    "of %s may not",
    (origin) => {
      const allowed = settings({ allowOrigin: ["https://a.org"] });
      expect(() => checkOrigin(origin, "localhost:1", allowed)).toThrow(/may not ask/);
    },
  );
});
