import type { formatNames } from "../options.ts";
import { type Format, formats, type PrintedEntry } from "./format.ts";

/** Entries of all sources made by hand, and documents of them, for tests. */

const common = {
  style: "brief",
  path: "",
  startLine: 1,
  endLine: 1,
  score: 0.812,
  level: "full",
  notes: [],
  related: [],
} satisfies Partial<PrintedEntry>;

export const memory: PrintedEntry = {
  ...common,
  source: "memory",
  kind: "memory",
  citation: "[mem-1k3f]",
  name: "Payments are retried three times",
  facts: {
    id: "mem-1k3fq08zr4c2m",
    category: "decision",
    importance: 0.8,
    created_at: "2026-02-11T09:30:00.000Z",
    tags: ["payments", "retries"],
  },
  text: "Payments are retried three times with `backoff()`.\nA fourth attempt costs a fee.",
};

export const code: PrintedEntry = {
  ...common,
  source: "code",
  kind: "function",
  citation: "[cod-9xk2]",
  name: "charge",
  path: "src/payments/client.py",
  startLine: 12,
  endLine: 40,
  language: "python",
  level: "signature",
  doc: "Charges a card and retries when the provider is busy.",
  text: "def charge(card: str, cents: int) -> Receipt:",
};

export const experience: PrintedEntry = {
  ...common,
  source: "experience",
  kind: "experience",
  citation: "[exp-77ab]",
  name: "make payment retries survive a busy provider",
  facts: {
    id: "exp-77abq08zr4c2m",
    domain: "debugging",
    strategy: "read-the-error",
    outcome_status: "falsified",
    confidence_tier: "gold",
    iteration_count: 2,
    axis: "full",
  },
  text: [
    "Goal: make payment retries survive a busy provider",
    "Hypothesis: the provider drops the connection",
    "Action: log the status of every attempt",
    "Prediction: the log shows resets",
    "Outcome: falsified - it answers 503: we never waited",
    "Surprise: there was no reset at all",
    "Lesson: read the status before the stack trace",
  ].join("\n"),
};

/** Entries in their short forms, as they follow the most relevant records of a long briefing. */
export const shortMemory: PrintedEntry = {
  ...memory,
  citation: "[mem-2s2s]",
  level: "signature",
  notes: ["contradicts the older mem-0x0x"],
  text: "# Retries wait <b>one</b> second, see [mem-9z9z].",
};
export const shortExperience: PrintedEntry = {
  ...experience,
  citation: "[exp-2s2s]",
  level: "signature",
  text: "make retries survive; falsified - it answers 503; Surprise: no reset at all; Lesson: read the status first",
};

export const value: PrintedEntry = {
  ...common,
  source: "value",
  kind: "value",
  citation: "[val-0042]",
  name: "Read the response before guessing",
  facts: {
    id: "val-0042q08zr4c2m",
    axis: "full",
    cluster_id: "2kq0",
    cluster_size: 12,
    similarity_to_centroid: 0.9137,
  },
  text: "Read the response before guessing at the network.",
};

export const commit: PrintedEntry = {
  ...common,
  source: "commit",
  kind: "commit",
  citation: "[com-1a2b]",
  name: "Retry payments when the provider is busy",
  facts: {
    sha: "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d",
    author: "Ada Lovelace",
    timestamp: "2026-03-01T17:04:05.000Z",
    files_changed: ["src/payments/client.py", "src/payments/__init__.py", "tests/test_client.py", "docs/payments.md"],
    insertions: 31,
    deletions: 4,
  },
  text: "Retry payments when the provider is busy\n\nThe provider answers 503 under load:\n- three attempts were enough\n- `sleep()` is <1s\n\nCo-authored-by: Grace <grace@example.com>",
};

export const document: PrintedEntry = {
  ...common,
  source: "document",
  kind: "chunk",
  citation: "[chk-5d6e]",
  name: "Refunds",
  facts: {
    id: "doc-5d6eq08zr4c2m",
    path: "docs/payments.md",
    heading: "Payments > Refunds",
    version: 3,
    chunk: "2/7",
    lines: "12-40",
    changed_at: "2026-02-27T08:00:00.000Z",
  },
  text: "## Refunds\n\nA refund is a charge with a minus:\n\n- it needs the *receipt*\n- see `refund()`\n\n| day | fee |\n| --- | --- |\n| 1 | 0 |",
};

export const message: PrintedEntry = {
  ...common,
  source: "message",
  kind: "message",
  citation: "[msg-3c4d]",
  name: "Ada: three times",
  facts: {
    id: "msg-3c4dq08zr4c2m",
    thread: "thr-0a0bq08zr4c2m",
    thread_title: "Payment retries",
    number: 12,
    role: "user",
    speaker: "Ada",
    timestamp: "2026-03-02T10:00:00.000Z",
    answers: "msg-3c4cq08zr4c2m",
  },
  text: "Grace: How often do we retry?\nAda: three times, see the code:\n```py\nretry(3)\n```",
};

export const sections: [title: string, entries: PrintedEntry[]][] = [
  [
    "Memories",
    [
      memory,
      {
        ...memory,
        citation: "[mem-8p2c]",
        facts: { id: "mem-8p2cq08zr4c2m", category: "fact", importance: 0.35 },
        notes: ["src/pay.py was renamed to src/payments/client.py", "contradicts [mem-1k3f] (newer)"],
        text: "src/pay.py retries five times.",
      },
      shortMemory,
      { ...memory, citation: "[mem-55zz]", level: "pointer", name: "Fees of the provider, by [country]", text: "" },
    ],
  ],
  [
    "Code",
    [
      code,
      {
        ...code,
        kind: "class",
        citation: "[cod-0a1b]",
        name: "PaymentClient",
        startLine: 3,
        level: "elided",
        doc: "",
        notes: ["moved since indexing"],
        text: "class PaymentClient:\n    # ... 30 lines",
        rest: "see full at src/payments/client.py:3",
      },
      { ...code, citation: "[cod-4d5e]", name: "refund", startLine: 50, endLine: 61, level: "pointer", text: "" },
    ],
  ],
  [
    "Experiences",
    [
      experience,
      {
        ...experience,
        kind: "root_cause",
        citation: "[exp-13cd]",
        facts: { id: "exp-13cdq08zr4c2m", domain: "testing", axis: "root_cause" },
        notes: ["tests/old.py is gone since 1a2b3c4"],
        level: "elided",
        text: "Category: test-isolation\nDescription: the clock of tests/old.py is shared...",
        rest: "full experience ID: exp-13cdq08zr4c2m",
      },
      shortExperience,
      { ...experience, kind: "root_cause", citation: "[exp-66xy]", level: "pointer", text: "" },
    ],
  ],
  ["Values", [value, { ...value, citation: "[val-0099]", notes: ["its cluster has moved"], facts: {} }]],
  [
    "Commits",
    [
      commit,
      {
        ...commit,
        citation: "[com-9f8e]",
        facts: { sha: "9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c", author: "Ada Lovelace", files_changed: [] },
        notes: ["src/pay.py was renamed to src/payments/client.py"],
        level: "elided",
        text: "Wait between attempts...",
        rest: "",
      },
    ],
  ],
];

export function partsOf(format: Format, groups: [title: string, entries: PrintedEntry[]][]): string[] {
  let first = true;
  const blocks = groups.flatMap(([title, entries], index) => [
    format.groupOpening(title, index === 0),
    ...entries.flatMap((entry) => {
      const block = [format.head({ ...entry, section: title }, first), format.body(entry)];
      first = false;
      return block;
    }),
    format.groupClosing,
  ]);
  return [
    format.opening,
    format.title("Context"),
    ...blocks,
    format.itemsClosing,
    format.footerOpening,
    format.summary("13 items from 5 sources"),
    format.leftOut([{ reason: "over-budget", count: 3 }]),
    format.closing,
  ].filter((part) => part !== "");
}

export function documentOf(name: (typeof formatNames)[number], entries: PrintedEntry[]): string {
  const texts = entries.map(({ text }) => text);
  return partsOf(formats[name](texts, "Context"), [["Found", entries]]).join("");
}
