import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { context } from "../../index.ts";

const filler = Array.from({ length: 30 }, (_, i) => `func Part${i}(of int) int {\n\treturn of + ${i}\n}\n`).join("\n");
const others = Array.from({ length: 40 }, (_, i) => `export function part${i}(): number {\n  return ${i};\n}`).join(
  "\n",
);
const tree = {
  "parcel/state.go": `package parcel

// State says where a parcel is.
type State int

const (
	Waiting State = iota
	Loaded
	Travelling
	Delivered
	Refused
)

${filler}`,
  "rules/limits.ts": `/** How many books may lie on a shelf. */
export const ceiling = 250;
export const unused = 0;
export const patience = 13;
${others}
export const shelter = 7;
`,
  "shelf/sort.ts": `import { ceiling, patience, shelter } from "../rules/limits.ts";

/** Sorts the books of a crowded shelf. */
export function sortCrowdedShelf(books: Book[]): Book[] {
  const waiting = books.length - ceiling;
  if (waiting < patience) return books;
  for (const book of books) if (book.weight > shelter) book.lie();
  return books.sort(byTitle);
}
`,
  "parcel/dispatch.go": `package parcel

// DispatchParcels moves parcels that wait in the depot on to their next state.
func DispatchParcels(parcels []Parcel, most int) {
	for i, parcel := range parcels {
		switch parcel.state {
		case Waiting:
			parcels[i].state = Loaded
		case Travelling:
			parcels[i].state = Delivered
		}
		if i > most {
			return
		}
	}
}
`,
};

async function answer(query: string, limit = 50) {
  return context({ query, path: folder(tree), maxTokens: 1500, limit } as never);
}

describe("values of one group", () => {
  it("are printed as the whole group where a function names several of them and the group is small", async () => {
    const { text, items, dropped } = await answer("how are waiting parcels dispatched to their next state?");
    expect(text).toContain("const (\n\tWaiting State = iota\n\tLoaded\n\tTravelling\n\tDelivered\n\tRefused\n)");
    const group = items.find(({ path }) => path === "parcel/state.go")!;
    expect([group.startLine, group.endLine]).toEqual([6, 12]);
    const inside = dropped.filter(({ by }) => by === group.id).map(({ title }) => title.split("::")[1]);
    expect(inside).toEqual(expect.arrayContaining(["Waiting", "Loaded", "Travelling", "Delivered"]));
  });

  it("bring their group where one of them is asked for", async () => {
    const { text, items } = await answer("Travelling");
    expect(items[0]).toMatchObject({ path: "parcel/state.go", startLine: 6, endLine: 12 });
    expect(text).toContain("Used by:\n- parcel/dispatch.go:9");
  });

  it("are one span with their neighbours where the group is long, without the distant ones", async () => {
    const { items } = await answer("how are the books of a crowded shelf sorted?", 1);
    const spans = items
      .filter(({ path, kind }) => path === "rules/limits.ts" && kind === "constant")
      .map(({ startLine, endLine }) => `${startLine}-${endLine}`);
    expect(spans).toEqual(["1-4", "125-125"]);
  });
});
