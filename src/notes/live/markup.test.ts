import { describe, expect, it } from "vitest";
import { linksIn, readMentions, splitTags } from "./markup.ts";

const names: Record<string, string> = { ada: "Ada Lovelace" };
const read = (markup: string) => readMentions(markup, (id) => names[id]);

describe("mentions in the API's texts", () => {
  it("become the name that is known, else the one that is written there, else the id", () => {
    expect(read("By [Ada #person](tana:ada), [Bob #person #x](tana:bob) and [](tana:eve)")).toEqual({
      text: "By Ada Lovelace, Bob and eve",
      references: ["ada", "bob", "eve"],
    });
    expect(read('<span data-inlineref-node="ada"></span> &amp; <span data-inlineref-node="bob">Bob</span>')).toEqual({
      text: "Ada Lovelace & Bob",
      references: ["ada", "bob"],
    });
  });

  it("are dates too, and other HTML becomes Markdown", () => {
    const date = `<span data-inlineref-date="{&quot;dateTimeString&quot;:&quot;2026-02-03&quot;}"></span>`;
    expect(read(`On ${date} <b>at</b> <a href="https://a.example">home</a>`)).toEqual({
      text: "On 2026-02-03 **at** [home](https://a.example)",
      references: [],
    });
  });

  it("are found inside brackets, and other links stay as they are", () => {
    expect(linksIn("[see [A](tana:a)] [b](https://b) [C [d]](tana:c)").map(({ id, label }) => ({ id, label }))).toEqual(
      [
        { id: "a", label: "A" },
        { id: "c", label: "C [d]" },
      ],
    );
    expect(linksIn("[[x](tana:a) y](tana:b)").map(({ id }) => id)).toEqual(["b"]);
  });

  it("are each named once", () => {
    expect(read("[A](tana:a) [A](tana:a)").references).toEqual(["a"]);
  });
});

describe("tags at the end", () => {
  it("are words that begin with # and have a letter", () => {
    expect(splitTags("Body / Health #Life_Area #b")).toEqual({ text: "Body / Health", tags: ["Life_Area", "b"] });
    expect(splitTags("C# in depth")).toEqual({ text: "C# in depth", tags: [] });
    expect(splitTags("Issue #12")).toEqual({ text: "Issue #12", tags: [] });
    expect(splitTags("#alone")).toEqual({ text: "", tags: ["alone"] });
  });
});
