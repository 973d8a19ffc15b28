import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { viewNamed, views } from "../views.ts";
import { addressOf, readAddress } from "./address.ts";

const stateOf = (hash: string) => Object.fromEntries(readAddress(hash).state);

describe("an address of the inspector", () => {
  it("names a view and its state", () => {
    expect(readAddress("#/why?query=a+b&limit=3").view).toBe("why");
    expect(stateOf("#/why?query=a+b&limit=3")).toEqual({ query: "a b", limit: "3" });
  });

  it("keeps a question mark that was typed into the question", () => {
    expect(stateOf("#/ask?query=how are retries done?&limit=3")).toEqual({
      query: "how are retries done?",
      limit: "3",
    });
  });

  it.each(["", "#", "#/", "#/%", "#/%?query=%", "#/%E0%A4%A", "#/nosuch?x", "#/../ask", "#/toString"])(
    "shows the first view where it names none: %s",
    (hash) => {
      expect(viewNamed(readAddress(hash).view)).toBe(views[0]);
    },
  );

  it("is read as it was written, whatever the state, and never fails", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("é", "日本", "👩‍💻", "a+b", "%"));
    const pairs = fc.array(fc.tuple(text, text), { maxLength: 5 });
    fc.assert(
      fc.property(fc.constantFrom(...views), pairs, fc.string({ unit: "binary" }), ({ name }, state, junk) => {
        const read = readAddress(addressOf(name, new URLSearchParams(state)));
        expect(read.view).toBe(name);
        expect([...read.state]).toEqual(state);
        expect(views.includes(viewNamed(readAddress(junk).view))).toBe(true);
      }),
    );
  });
});
