import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyse } from "../text/analysis/analyse.ts";
import { fields, forEachTerm, frequencies } from "../text/analysis/terms.ts";
import { hashTerm, hashText } from "../text/hash.ts";
import { splitLines } from "../text/lines.ts";
import { describeFile } from "./describe-file.ts";
import { wholeFileId } from "./links.ts";
import { relocate } from "./relocate.ts";
import { termHashes } from "./terms.ts";

function read(path: string, text: string) {
  return describeFile({ path, text, size: text.length, modified: 5, hash: hashText(text) });
}

function frequency(packed: Uint8Array, term: string): Record<string, number> {
  const counts = new Uint16Array(fields.length);
  frequencies(packed, hashTerm(term), counts);
  return Object.fromEntries(fields.flatMap((field, index) => (counts[index] ? [[field, counts[index]]] : [])));
}

const shop = `"""Sells things."""
import stock


class Seller(Base):
    """A seller."""

    def sell(self, item):
        # remove it
        return stock.reduce(item, "gone")


def helper():
    return Seller()
`;

describe("a described file", () => {
  it("is a file item and its units, with stable ids and exact hashes", async () => {
    const file = await read("src/shop.py", shop);
    expect(
      file.items.map(({ item }) => [item.kind, item.name, item.qualifiedName, item.startLine, item.endLine]),
    ).toEqual([
      ["file", "shop.py", "src/shop.py", 1, 14],
      ["block", "comment", "src/shop.py::comment", 1, 1],
      ["class", "Seller", "src/shop.py::Seller", 5, 10],
      ["method", "sell", "src/shop.py::Seller.sell", 8, 10],
      ["function", "helper", "src/shop.py::helper", 13, 14],
    ]);
    const lines = splitLines(shop);
    for (const { item } of file.items) {
      expect(item.id).toMatch(/^cod-[0-9a-z]{13}$/);
      expect(item.hash).toBe(hashText(lines.slice(item.startLine - 1, item.endLine).join("\n")));
      expect(item.changed).toBe(5);
    }
    const moved = await read("src/shop.py", `\n\n${shop.replace("gone", "sold")}`);
    expect(moved.items.map(({ item }) => item.id)).toEqual(file.items.map(({ item }) => item.id));
  });

  it("links units to what contains them", async () => {
    const [whole, , seller, sell, helper] = (await read("src/shop.py", shop)).items.map(({ item }) => item);
    expect([whole?.parent, seller?.parent, sell?.parent, helper?.parent]).toEqual([
      undefined,
      whole?.id,
      seller?.id,
      whole?.id,
    ]);
  });

  it("has terms by field, and the file holds those of all its units", async () => {
    const [whole, , seller, sell] = (await read("src/shop.py", shop)).items;
    expect(frequency(sell!.unit!.terms, "sell")).toEqual({ name: 1, signature: 1 });
    expect(frequency(sell!.unit!.terms, "seller")).toEqual({ signature: 1 });
    expect(frequency(sell!.unit!.terms, "shop")).toEqual({ path: 1 });
    expect(frequency(sell!.unit!.terms, "gone")).toEqual({ string: 1 });
    expect(frequency(sell!.unit!.terms, "remov")).toEqual({ comment: 1 });
    expect(frequency(seller!.unit!.terms, "reduc")).toEqual({});
    expect(frequency(whole!.unit!.terms, "reduc")).toEqual({});
    expect(frequency(whole!.file!.terms, "reduc")).toEqual({ code: 1 });
    expect(frequency(whole!.file!.terms, "gone")).toEqual({ string: 1 });
    expect(frequency(whole!.file!.terms, "seller").signature).toBe(1);
    expect(seller!.file).toBeUndefined();
  });

  it("has fields that are found by name only: their words count with what they are in, and once in the file", async () => {
    const text = "class Seller:\n    zebra = 3\n\n\nhost = 1\n";
    const [whole, seller, zebra, host] = (await read("shop.py", text)).items;
    expect([zebra, host]).toMatchObject([
      {
        item: {
          kind: "field",
          qualifiedName: "shop.py::Seller.zebra",
          startLine: 2,
          endLine: 2,
          parent: seller!.item.id,
        },
      },
      { item: { kind: "field", qualifiedName: "shop.py::host", startLine: 5, endLine: 5, parent: whole!.item.id } },
    ]);
    expect([zebra!.unit, host!.unit]).toEqual([undefined, undefined]);
    expect(frequency(seller!.unit!.terms, "zebra")).toEqual({ code: 1 });
    expect(frequency(whole!.unit!.terms, "host")).toEqual({ code: 1 });
    expect(frequency(whole!.file!.terms, "zebra")).toEqual({ code: 1 });
    expect(frequency(whole!.file!.terms, "host")).toEqual({ code: 1 });
  });

  it("counts the words of a block once in the file, and not as the file's own", async () => {
    const text = "configure(zebra)\nstart(host, port)\nstop(host, port, when_everything_is_over)\n";
    const [whole, block] = (await read("shop.py", text)).items;
    expect(block!.item).toMatchObject({ kind: "block", name: "configure", startLine: 1, endLine: 3 });
    expect(frequency(block!.unit!.terms, "zebra")).toEqual({ code: 1 });
    expect(frequency(whole!.unit!.terms, "zebra")).toEqual({});
    expect(frequency(whole!.file!.terms, "configur")).toEqual({ code: 1 });
  });

  it("counts its length in terms", async () => {
    for (const { unit, file } of (await read("src/shop.py", shop)).items) {
      for (const scope of [unit, file]) {
        if (!scope) continue;
        let length = 0;
        forEachTerm(scope.terms, (_hash, _field, frequency) => {
          length += frequency;
        });
        expect(scope.length).toBe(length);
      }
    }
  });

  it("points at what it imports, calls and extends", async () => {
    const file = await read("src/shop.py", shop);
    const names = new Map(file.items.map(({ item }) => [item.id, item.name]));
    expect(file.links.map(({ from, kind, name }) => `${names.get(from)} ${kind} ${name}`)).toEqual([
      "shop.py imports stock",
      "Seller extends Base",
      "sell calls stock.reduce",
      "helper calls Seller",
    ]);
  });

  it("tells namesakes apart", async () => {
    const file = await read("a.py", "def f(): ...\ndef f(): ...\n");
    expect(new Set(file.items.map(({ item }) => item.id)).size).toBe(3);
  });

  it("of documents and settings is of the source file", async () => {
    expect(
      (await read("a.md", "# A\ntext\n")).items.map(({ item }) => [item.source, item.kind, item.id.slice(0, 4)]),
    ).toEqual([
      ["file", "document", "fil-"],
      ["file", "section", "fil-"],
    ]);
    expect((await read("a.json", "{}")).items.map(({ item }) => item.kind)).toEqual(["config"]);
  });

  it("links a document to the files it names", async () => {
    const file = await read("docs/a.md", "# A\n[b](../src/b.ts) [c](c.md)\n");
    expect(file.links.map(({ to }) => to)).toEqual([wholeFileId("src/b.ts"), wholeFileId("docs/c.md")]);
    expect((await read("src/b.ts", "")).items[0]?.item.id).toBe(wholeFileId("src/b.ts"));
  });

  it("that is empty has one item of one line", async () => {
    const file = await read("a.py", "");
    expect(file.items.map(({ item }) => [item.startLine, item.endLine, item.hash])).toEqual([[1, 1, hashText("")]]);
  });
});

describe("tests", () => {
  it("are marked, and linked to what they test by name and by call", async () => {
    const file = await read("tests/test_shop.py", "def test_sell():\n    reduce(1)\n");
    expect(file.items.every(({ item }) => item.test)).toBe(true);
    const links = file.links.map(
      ({ kind, name, to }) => `${kind} ${name ?? (to === wholeFileId("shop.py") ? "shop.py" : "?")}`,
    );
    expect(links).toContain("tests sell");
    expect(links).toContain("tests reduce");
    expect(links).toContain("calls reduce");
    expect(links).toContain("tests shop.py");
  });

  it("inside a source file are marked alone", async () => {
    const file = await read("src/a.rs", "fn add() {}\n#[cfg(test)]\nmod tests {\n    fn adds() {}\n}\n");
    expect(file.items.map(({ item }) => [item.name, item.test])).toEqual([
      ["a.rs", undefined],
      ["add", undefined],
      ["tests", true],
      ["adds", true],
    ]);
  });

  it("of Rust are known by their attributes, wherever they stand", async () => {
    const test = async (attribute: string) => {
      const file = await read("src/a.rs", `/// Adds.\n/// #[test] in a comment\n${attribute}\nfn add() {}\n`);
      return file.items.at(-1)!.item.test === true;
    };
    const marks = ["#[test]", "#[tokio::test(flavor = 'x')]", "#[cfg(test)]", "#[cfg(all(not(windows), test))]"];
    for (const mark of marks) expect([mark, await test(mark)]).toEqual([mark, true]);
    const others = ["#[cfg(not(test))]", "#[cfg(any(test, feature))]", "#[tested]", "#[inline]"];
    for (const mark of others) expect([mark, await test(mark)]).toEqual([mark, false]);
  });
});

describe("an item of a changed file", () => {
  async function item(path: string, text: string, name: string) {
    return (await read(path, text)).items.map((each) => each.item).find((each) => each.name === name)!;
  }

  it("is found by its name where it moved and changed", async () => {
    const sell = await item("src/shop.py", shop, "sell");
    const edited = shop
      .replace("import stock\n", "import stock\nimport os\n")
      .replace("# remove it\n", "# remove it\n        log(item)\n");
    expect(await relocate(sell, edited)).toEqual({ startLine: 9, endLine: 12 });
  });

  it("is found by its very lines when its name says nothing any more", async () => {
    const helper = await item("src/shop.py", shop, "helper");
    const edited =
      `class Wrapper:\n    pass\n\n\nif True:\n    pass\n${shop.slice(shop.indexOf("def helper"))}`.replace(
        "def helper",
        "def helper",
      );
    expect(await relocate({ ...helper, qualifiedName: "src/shop.py::old", id: "cod-old" }, edited)).toEqual({
      startLine: 7,
      endLine: 8,
    });
  });

  it("prefers, among namesakes, the one that is unchanged", async () => {
    const text = "def f():\n    return 1\n\n\ndef f():\n    return 2\n";
    const second = (await read("a.py", text)).items[2]!.item;
    expect(await relocate(second, `def f():\n    return 0\n\n\n${text}`)).toEqual({ startLine: 9, endLine: 10 });
  });

  it("that is gone is not found", async () => {
    const helper = await item("src/shop.py", shop, "helper");
    expect(await relocate(helper, "x = 1\n")).toBeUndefined();
    expect(await relocate(helper, "")).toBeUndefined();
  });

  it("that is a section is found by its headings", async () => {
    const section = await item("a.md", "# A\n\n## B\ntext\n", "B");
    expect(await relocate(section, "# A\n\nmore\n\n## B\nother\n")).toEqual({ startLine: 5, endLine: 6 });
  });
});

it("gives exactly the analyser's terms, remembered or not", () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[a-zA-Z0-9_$.'\- ]{0,80}$/), fc.string({ unit: "grapheme" }));
  fc.assert(
    fc.property(text, (any) => {
      expect(termHashes(any)).toEqual(analyse(any).map(hashTerm));
      expect(termHashes(any)).toEqual(analyse(any).map(hashTerm));
    }),
    { numRuns: 2000 },
  );
});
