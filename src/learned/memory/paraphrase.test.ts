import { describe, expect, it } from "vitest";
import { alternatives, lookalikes, memories } from "../../text/similarity/similarity.cases.ts";
import { nearDuplicatesOf } from "./duplicates.ts";
import { paraphraseScore } from "./paraphrase.ts";

const offered = (a: string, b: string) => nearDuplicatesOf(a, [{ id: "x", text: b }]).length > 0;

/** Plain texts of 12 words and more, so that one word is 2 to 10 % of the characters. */
const texts = [
  ...memories.filter((text) => text.split(" ").length >= 12),
  "Whoever touches the invoice templates tells the accounting team, for they print and file every one of them on paper.",
  "The archive of the meeting notes is kept on the shared drive, in a folder for each quarter and each team.",
  "Reviewers look at the migration first, because a mistake there cannot be taken back once the customers have seen it.",
  "We answer questions of partners within a day, even when the answer is that somebody has to look into it.",
  "The preview of a page is rendered by the same service as the page itself, so that both look alike.",
  "Translations are handed to the agency in one batch for each release, and come back as a pull request.",
];

const added = ["certainly", "company", "usual", "official", "careful", "ordinary", "overall"];

/** One word more, somewhere inside. */
const addings = texts.flatMap((text, seed) =>
  [0, 1, 2].map((turn) => {
    const words = text.split(" ");
    const at = 2 + ((seed * 5 + turn * 3) % (words.length - 3));
    return [text, [...words.slice(0, at), added[(seed + turn) % added.length]!, ...words.slice(at)].join(" ")] as const;
  }),
);

/** One plain word less. Those that a sentence turns on are not plain. */
const plain = /^[a-z]{3,9}$/;
const turning =
  /^(?:not|never|only|always|must|may|should|can|could|before|after|until|since|all|any|every|more|less|most|least|but|and|unless|once|without|instead|even|both|first|one|two|three|five|forty|ninety|year|days|minutes|morning|evening|day|release|quarter|branch|server|reads?|when|while|for|nobody|fourth|npm)$/;
// At an edit similarity of .9 and more.
const isDroppable = (word: string, at: number, text: string) =>
  at > 1 && plain.test(word) && !turning.test(word) && word.length + 1 <= text.length / 10;
const droppings = texts.flatMap((text, seed) => {
  const words = text.split(" ");
  const droppable = words.flatMap((word, at) => (isDroppable(word, at, text) ? [at] : []));
  return [0, 1, 2].map((turn) => {
    const at = droppable[(seed * 7 + turn * 2) % droppable.length]!;
    return [text, words.toSpliced(at, 1).join(" ")] as const;
  });
});

/** Two neighbours in each other's place. */
const swappings = texts.flatMap((text, seed) => {
  const words = text.split(" ");
  const swappable = words.flatMap((word, at) => {
    const next = words[at + 1] ?? "";
    return at > 1 && [word, next].every((each) => plain.test(each) && !turning.test(each)) ? [at] : [];
  });
  return [0, 1].map((turn) => {
    const at = swappable[(seed * 3 + turn) % swappable.length]!;
    return [text, words.toSpliced(at, 2, words[at + 1]!, words[at]!).join(" ")] as const;
  });
});

/** A word in other words. */
const rewordings: [string, string][] = [
  [
    "Reviewers look at the migration first, because a mistake there cannot be undone",
    "Reviewers look at the migration first, because an error there cannot be undone",
  ],
  [
    "The archive of the meeting notes is kept in a folder for each team",
    "The archive of the meeting notes is kept in a directory for each team",
  ],
  [
    "Customers receive a short survey by mail when their ticket was solved",
    "Customers get a short survey by mail when their ticket was solved",
  ],
  [
    "The importer usually needs the whole night on the small machine",
    "The importer normally needs the whole night on the small machine",
  ],
  [
    "All times are stored as UTC with the zone of the port beside them",
    "All times are saved as UTC with the zone of the port beside them",
  ],
  [
    "Text messages are sent for long delays and for cancellations of a crossing",
    "Text messages are transmitted for long delays and for cancellations of a crossing",
  ],
  [
    "Prices are shown with all fees from the first page of a booking on",
    "Prices are displayed with all fees from the first page of a booking on",
  ],
  [
    "The old rows are kept for the auditors in a table of their own",
    "The old rows are retained for the auditors in a table of their own",
  ],
];

/** A word before a sentence: its capital is no longer at the beginning. */
const beginnings: [string, string][] = [
  [
    "The fake clock is in the helpers. Tests that sleep are rejected in review; there were very many of them",
    "The fake clock is in the helpers. Usually Tests that sleep are rejected in review; there were very many of them",
  ],
  [
    "Names are only folded: Titles are analysed with stemming, as the readers asked for it",
    "Names are only folded: normal Titles are analysed with stemming, as the readers asked for it",
  ],
];

const planted = { addings, droppings, swappings, rewordings, beginnings };

describe("a memory that differs in one word", () => {
  it.each(Object.entries(planted))("is offered as the same: %s, at least 95 of 100", (_kind, pairs) => {
    const missed = pairs.filter(([a, b]) => a !== b && !(offered(a, b) && offered(b, a)));
    expect(missed.length / pairs.length, missed.map(([, b]) => b).join("\n")).toBeLessThanOrEqual(0.05);
  });

  it("is never offered where a value, a number, a name or a negation is another", () => {
    const pairs = lookalikes.map((line) => alternatives(line));
    const after = " This was agreed with the people who take the pager, and it is described in the handbook.";
    const all = pairs.flatMap(
      ([a, b]) =>
        [
          [a, b],
          [a + after, b + after],
        ] as const,
    );
    expect(all.filter(([a, b]) => offered(a, b) || offered(b, a)).map(String)).toEqual([]);
  });

  it.each([
    [
      "The worker retries a failed upload in the background",
      "The worker never retries a failed upload in the background",
    ],
    ["Copy the dump from the old machine to the new machine", "Copy the dump to the old machine from the new machine"],
    [
      "Reports are written for the finance team each month",
      "Reports are written for the staging finance team each month",
    ],
    ["The gateway waits 30 seconds for the slow upstream", "The gateway waits 45 seconds for the slow upstream"],
    [
      "Backups of the shop are kept in Frankfurt for the auditors",
      "Backups of the shop are kept in Dublin for the auditors",
    ],
    [
      "We rename a column in two steps, the old one goes last",
      "We rename a column in three steps, the old one goes last",
    ],
    [
      "Use tabs and not spaces in the generated files of the client",
      "Use spaces and not tabs in the generated files of the client",
    ],
    ["The team prefers short functions in the payment module", "The team prefers short classes in the payment module"],
    [
      "Errors of the importer are logged with the batch number",
      "Errors of the importer are logged without the batch number",
    ],
    ["Only admins can see the audit log of a project", "Admins can see the audit log of a project"],
    [
      "The price of a crossing is shown with all of its fees on the first page",
      "The cost of a crossing is shown with all of its fees on the first page",
    ],
    [
      "A cancelled booking gets the status void and keeps its number for the audit",
      "A cancelled booking gets the status empty and keeps its number for the audit",
    ],
    [
      "Backups of the shop are kept by Anna for the auditors of the city",
      "Backups of the shop are kept by Berta for the auditors of the city",
    ],
    [
      "Backups of the shop are kept for the auditors of the city",
      "Backups of the shop are kept for the Danish auditors of the city",
    ],
    [
      "Loans are written before the gate is opened for the reader",
      "Loans are read before the gate is opened for the reader",
    ],
    ["`parse` is called before the cache is filled", "`format` is called before the cache is filled"],
  ])("%s: is not offered for another", (a, b) => {
    expect([offered(a, b), offered(b, a)]).toEqual([false, false]);
  });

  it("costs little for long texts, and nothing is said of them", () => {
    expect(paraphraseScore("word ".repeat(5000), "word ".repeat(5001))).toBe(0);
    expect(paraphraseScore("", "")).toBe(0);
  });
});
