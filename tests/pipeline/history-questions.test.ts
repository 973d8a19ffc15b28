import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { context, index, search } from "../../src/index.ts";
import { folder, git } from "../workspace.ts";

type Change = {
  /** For the questions below. */
  key: string;
  author: string;
  message: string;
  files?: Record<string, string>;
  removed?: string[];
};

const service = (name: string, body: string) => `export function ${name}(request) {\n  ${body}\n}\n`;

/** Two years of a small web service that lets people book meeting rooms. */
const changes: Change[] = [
  {
    key: "start",
    author: "Mira Holt",
    message: "Start the booking service\n\nAn HTTP server with one route, and a health check for the load balancer.",
    files: { "src/server.js": service("serve", "return listen(8080);"), "package.json": "{}\n" },
  },
  {
    key: "rooms",
    author: "Mira Holt",
    message: "List meeting rooms with their size and equipment",
    files: { "src/rooms.js": service("listRooms", "return database.rooms();") },
  },
  {
    key: "bookings",
    author: "Tomás Reyes",
    message: "Book a room for a time slot\n\nOverlapping bookings are refused with 409.",
    files: { "src/bookings.js": service("bookRoom", "return database.insert(request.slot);") },
  },
  {
    key: "sqlite",
    author: "Mira Holt",
    message: "Keep everything in SQLite\n\nOne file is enough for the first office.",
    files: { "src/database.js": service("open", 'return sqlite("rooms.db");') },
  },
  {
    key: "login",
    author: "Ines Okafor",
    message:
      "Sign in with the company account\n\nOAuth against the identity provider; the session is kept in a cookie.",
    files: {
      "src/login.js": service("signIn", "return oauth(request);"),
      "src/session.js": service("session", "return cookie(request);"),
    },
  },
  {
    key: "cookie",
    author: "Ines Okafor",
    message:
      "Mark the session cookie HttpOnly and SameSite\n\nA script on the page could read it, as the security review found.",
    files: { "src/session.js": service("session", "return cookie(request, { httpOnly: true });") },
  },
  {
    key: "timezone",
    author: "Tomás Reyes",
    message: "Store times in UTC\n\nBookings made in Lisbon showed up an hour late in Berlin after the clocks changed.",
    files: { "src/bookings.js": service("bookRoom", "return database.insert(utc(request.slot));") },
  },
  {
    key: "calendar",
    author: "Lena Brandt",
    message:
      "Send a calendar invitation for every booking\n\nAs an iCalendar attachment, so that any mail client takes it.",
    files: { "src/invitations.js": service("invite", "return mail(ical(request.booking));") },
  },
  {
    key: "retry",
    author: "Lena Brandt",
    message:
      "Try mail again when the relay is busy\n\nThree attempts with growing pauses. Invitations were lost on Monday mornings.",
    files: { "src/invitations.js": service("invite", "return retry(3, () => mail(ical(request.booking)));") },
  },
  {
    key: "postgres",
    author: "Mira Holt",
    message:
      "Move from SQLite to PostgreSQL\n\nTwo instances cannot share one file, and writers blocked each other at nine o'clock.",
    files: { "src/database.js": service("open", "return postgres(process.env.DATABASE_URL);") },
  },
  {
    key: "pool",
    author: "Tomás Reyes",
    message: "Limit the connection pool to ten\n\nThe database refused new connections when both instances restarted.",
    files: { "src/database.js": service("open", "return postgres(process.env.DATABASE_URL, { pool: 10 });") },
  },
  {
    key: "search",
    author: "Lena Brandt",
    message: "Find a free room by capacity and floor",
    files: { "src/finder.js": service("findRoom", "return database.free(request.capacity);") },
  },
  {
    key: "cache",
    author: "Lena Brandt",
    message: "Cache the room list for a minute\n\nThe start page asked for it on every key stroke.",
    files: { "src/cache.js": service("cached", "return memory.get(request.key);") },
  },
  {
    key: "metrics",
    author: "Ines Okafor",
    message: "Expose Prometheus metrics",
    files: { "src/metrics.js": service("metrics", "return counters();") },
  },
  {
    key: "kiosk",
    author: "Tomás Reyes",
    message: "Add a kiosk page for the tablet beside each door",
    files: { "src/kiosk.js": service("kiosk", "return page(request.room);") },
  },
  {
    key: "ratelimit",
    author: "Ines Okafor",
    message:
      "Allow sixty requests a minute per client\n\nA runaway script of the facilities team took the service down for an afternoon.",
    files: { "src/limit.js": service("limit", "return bucket(request.ip, 60);") },
  },
  {
    key: "noshow",
    author: "Lena Brandt",
    message: "Release a room when nobody checks in for fifteen minutes\n\nA third of all bookings were never used.",
    files: { "src/checkin.js": service("release", "return database.release(15);") },
  },
  {
    key: "deadlock",
    author: "Mira Holt",
    message: "Lock rows in the order of their ids\n\nTwo people swapping rooms deadlocked each other.",
    files: { "src/bookings.js": service("bookRoom", "return lockInOrder(request.slot);") },
  },
  {
    key: "typescript",
    author: "Tomás Reyes",
    message: "Check types with TypeScript in CI",
    files: { "tsconfig.json": "{}\n" },
  },
  {
    key: "cacheout",
    author: "Mira Holt",
    message:
      "Remove the room list cache\n\nRooms that were closed for repair could still be booked for a minute. The query takes two milliseconds by now.",
    removed: ["src/cache.js"],
  },
  {
    key: "recurring",
    author: "Lena Brandt",
    message: "Book the same slot every week\n\nA series is stored once, with its exceptions.",
    files: { "src/series.js": service("repeat", "return weeks(request.slot);") },
  },
  {
    key: "export",
    author: "Ines Okafor",
    message: "Export the usage of rooms as CSV\n\nFor the people who plan the next office.",
    files: { "src/export.js": service("exportUsage", "return csv(database.usage());") },
  },
  {
    key: "secret",
    author: "Ines Okafor",
    message:
      "Read secrets from the vault instead of the environment\n\nThe database password was visible in crash reports.",
    files: { "src/secrets.js": service("secret", "return vault(request.name);") },
  },
  {
    key: "kioskout",
    author: "Tomás Reyes",
    message: "Delete the kiosk page\n\nThe tablets were returned in spring.",
    removed: ["src/kiosk.js"],
  },
  {
    key: "leap",
    author: "Lena Brandt",
    message: "Do not skip the 29th of February in a series\n\nA yearly booking fell on the first of March instead.",
    files: { "src/series.js": service("repeat", "return weeks(leap(request.slot));") },
  },
  {
    key: "graceful",
    author: "Mira Holt",
    message: "Finish open requests before shutting down\n\nDeployments cut off downloads halfway.",
    files: { "src/server.js": service("serve", "return drain(listen(8080));") },
  },
  {
    key: "node",
    author: "Tomás Reyes",
    message: "Run on Node 22",
    files: { "package.json": '{ "engines": { "node": ">=22" } }\n' },
  },
  {
    key: "locale",
    author: "Ines Okafor",
    message: "Speak Portuguese and German\n\nTexts moved into one file per language.",
    files: { "src/texts.js": service("text", "return texts[request.language];") },
  },
];

/** A question as people ask it, and the commit that answers it. */
const questions: [question: string, key: string][] = [
  ["why was the room list cache removed", "cacheout"],
  ["why did we move to PostgreSQL", "postgres"],
  ["when was the kiosk page deleted", "kioskout"],
  ["who added Prometheus metrics", "metrics"],
  ["why is the session cookie HttpOnly", "cookie"],
  ["why are times stored in UTC", "timezone"],
  ["who added the CSV export", "export"],
  ["why is the connection pool limited", "pool"],
  ["why do we retry sending mail", "retry"],
  ["when was the rate limit of requests per client introduced", "ratelimit"],
  ["why are rows locked in order", "deadlock"],
  ["why are secrets read from the vault", "secret"],
  ["when did we start sending calendar invitations", "calendar"],
  ["what was done about rooms that are booked but never used", "noshow"],
  ["why does shutdown wait for open requests", "graceful"],
  ["when did we drop the tablets beside the doors", "kioskout"],
];

type Service = { root: string; shas: Map<string, string> };

/** A setting that much code names; its first commit is older than five years. */
function serviceWithSetting(): Service {
  const names = ["Bookings", "Rooms", "Invitations", "Reports", "Logins", "Exports", "Series", "Metrics"];
  const users = names.map((name): [string, string] => [
    `src/${name.toLowerCase()}.js`,
    `/** The default pool size is changed by the caller. */\n${service(`usePoolFor${name}`, "return open(request, DEFAULT_POOL_SIZE);")}`,
  ]);
  const setting = (size: number) => ({ "src/settings.js": `export const DEFAULT_POOL_SIZE = ${size};\n` });
  return made(
    [
      { key: "old", author: "Mira Holt", message: "Begin", files: setting(10) },
      { key: "users", author: "Mira Holt", message: "Open connections", files: Object.fromEntries(users) },
      {
        key: "forty",
        author: "Ines Okafor",
        message: "Change DEFAULT_POOL_SIZE from ten to forty\n\nMonday mornings ran out of connections.",
        files: setting(40),
      },
      { key: "last", author: "Ines Okafor", message: "Run on Node 22", files: { "package.json": "{}\n" } },
    ],
    800,
  );
}

function bookingService(): Service {
  return made(changes, 26);
}

/** A repository of these commits, so many days apart. */
function made(changes: Change[], days: number): Service {
  const root = folder({}, { git: true });
  const shas = new Map<string, string>();
  // Old commits count for less, so they are as old whenever this runs: the last was made yesterday, the first two years
  // before.
  const [day, pause] = [24 * 3600, days * 24 * 3600];
  const now = Math.floor(Date.now() / 1000);
  for (const [number, { key, author, message, files = {}, removed = [] }] of changes.entries()) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    for (const path of removed) rmSync(join(root, path));
    git(root, "add", "-A");
    const date = `@${now - day - (changes.length - 1 - number) * pause} +0000`;
    const email = `${author.split(" ")[0]!.toLowerCase()}@example.org`;
    execFileSync("git", ["-c", `user.name=${author}`, "-c", `user.email=${email}`, "commit", "-q", "-F", "-"], {
      cwd: root,
      input: message,
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    });
    shas.set(key, git(root, "rev-parse", "HEAD").trim());
  }
  return { root, shas };
}

async function placesOf({ root, shas }: Service, more: { sources?: ["commit"]; minScore?: number }) {
  const places: Record<string, number> = {};
  for (const [query, key] of questions) {
    const { results } = await search({ query, path: root, limit: 50, ...more });
    const commits = results.filter(({ source }) => source === "commit").map(({ id }) => id);
    places[query] = commits.indexOf(`com-${shas.get(key)}`) + 1;
  }
  return places;
}

describe("questions about why, when and who", () => {
  it("have the commit that answers them first, or nearly, when only commits are asked", async () => {
    const places = await placesOf(bookingService(), { sources: ["commit"], minScore: 0 });
    expect(Object.entries(places).filter(([, place]) => place < 1 || place > 3)).toEqual([]);
    expect(Object.values(places).filter((place) => place === 1).length).toBeGreaterThanOrEqual(14);
  });

  it("have it among the first two commits when everything is asked, unless it is too weak to be shown", async () => {
    const places = await placesOf(bookingService(), {});
    expect(Object.entries(places).filter(([, place]) => place > 2)).toEqual([]);
    expect(Object.values(places).filter((place) => place === 1).length).toBeGreaterThanOrEqual(13);
    expect(Object.values(places).filter((place) => place > 0).length).toBeGreaterThanOrEqual(15);
  });

  it("are answered by the commit's own words in a document, with who and when", async () => {
    const { root, shas } = bookingService();
    for (const [query, key] of questions.slice(0, 4)) {
      const { author, message } = changes.find((change) => change.key === key)!;
      const { text } = await context({ query, path: root });
      expect(text).toContain(`**Commit** \`${shas.get(key)!.slice(0, 7)}\` by ${author}`);
      expect(text).toContain(message);
    }
  });

  it("are answered after the commit is made, without another word", async () => {
    const { root } = bookingService();
    await search({ query: "anything", path: root });
    git(root, "commit", "-q", "--allow-empty", "-m", "Ask for a badge at the entrance");
    const { results } = await search({ query: "who asked for a badge", path: root, sources: ["commit"] });
    expect(results[0]?.name).toBe("Ask for a badge at the entrance");
  });

  it("have the commits that answer them before the code, in either layout", async () => {
    const { root, shas } = serviceWithSetting();
    for (const layout of ["files", "entities"] as const) {
      const { text } = await context({ query: "why was DEFAULT_POOL_SIZE changed to forty?", path: root, layout });
      const place = text.indexOf(`**Commit** \`${shas.get("forty")!.slice(0, 7)}\``);
      expect(place).toBeGreaterThan(-1);
      expect(place).toBeLessThan(text.indexOf("src/"));
      expect(text).toContain("DEFAULT_POOL_SIZE =");
    }
  });

  it("have the newest commits of the code that they name first, whatever words its messages have", async () => {
    const { root, shas } = bookingService();
    for (const [query, key] of [
      ["what changed in the repeat function recently", "leap"],
      ["what was recently changed in exportUsage", "export"],
    ] as const) {
      const { items } = await context({ query, path: root });
      expect(items[0]!.id).toBe(`com-${shas.get(key)!}`);
    }
  });

  it("have the commit that brought a name first, moved or not, older than the indexed history or not", async () => {
    const { root, shas } = serviceWithSetting();
    const moved = made(
      [
        {
          key: "begin",
          author: "Mira Holt",
          message: "Begin",
          files: { "src/all.js": service("repeat", "return 1;") },
        },
        {
          key: "named",
          author: "Mira Holt",
          message: "Series end by themselves",
          files: { "src/all.js": service("repeat", "return 1;") + service("lastWeek", "return request.weeks - 1;") },
        },
        {
          key: "split",
          author: "Ines Okafor",
          message: "A file for each: lastWeek has its own",
          files: {
            "src/all.js": service("repeat", "return 1;"),
            "src/weeks.js": `export ${service("lastWeek", "return request.weeks - 1;")}`.replace(
              "export export",
              "export default",
            ),
          },
        },
        { key: "edit", author: "Ines Okafor", message: "Add a comment to lastWeek", files: { "src/b.js": "b();\n" } },
      ],
      30,
    );
    for (const [query, path, sha] of [
      ["when was DEFAULT_POOL_SIZE added?", root, shas.get("old")],
      ["when was src/settings.js added?", root, shas.get("old")],
      ["why was DEFAULT_POOL_SIZE introduced?", root, shas.get("old")],
      ["which commit introduced lastWeek?", moved.root, moved.shas.get("named")],
      ["who added lastWeek", moved.root, moved.shas.get("named")],
    ] as const) {
      const { items, text } = await context({ query, path });
      expect([query, items[0]!.id]).toEqual([query, `com-${sha}`]);
      expect(text).toContain(`**Commit** \`${sha!.slice(0, 7)}\` by Mira Holt`);
    }
  });

  it("are not answered by a commit that only tells of the change in a change log", async () => {
    const title = "Keep repeatEvery from skipping a week";
    const repeat = (body: string) => ({ "src/repeat.js": service("repeatEvery", body) });
    const { root, shas } = made(
      [
        { key: "begin", author: "Mira Holt", message: "Begin", files: repeat("return weeks(request);") },
        { key: "second", author: "Mira Holt", message: "Use final", files: repeat("return weeks(request.slot);") },
        { key: "code", author: "Ines Okafor", message: `${title} (#17)`, files: repeat("return all(request.slot);") },
        { key: "log", author: "Mira Holt", message: `${title}\n(#17).`, files: { "CHANGELOG.md": `- ${title}\n` } },
      ],
      30,
    );
    for (const query of ["what changed in repeatEvery recently?", "why was repeatEvery changed to keep a week?"]) {
      const { items } = await context({ query, path: root });
      expect(items[0]!.id, query).toBe(`com-${shas.get("code")!}`);
    }
    const { items } = await context({ query: "what changed in repeatEvery recently?", path: root, maxTokens: 300 });
    const commits = items.filter(({ source }) => source === "commit").map(({ id }) => id);
    expect(commits.slice(0, 3)).toEqual(["code", "second", "begin"].map((key) => `com-${shas.get(key)!}`));
  });

  it("leave the code first when the question is what the code does", async () => {
    const { root } = serviceWithSetting();
    for (const query of ["what is DEFAULT_POOL_SIZE used for?", "how is DEFAULT_POOL_SIZE applied to a connection?"]) {
      const { items } = await context({ query, path: root });
      expect(items[0]!.source).toBe("code");
    }
  });

  it("leave the code first when no subject has their words", async () => {
    const { root } = serviceWithSetting();
    const { items } = await context({ query: "why was usePoolForReports changed?", path: root });
    expect(items[0]!.source).toBe("code");
  });

  it("say where older commits are not indexed, and only they do", async () => {
    const { root } = serviceWithSetting();
    const unread = /^The history is read since \d{4}-\d\d; dossier index --history-years 0 reads all of it\.$/;
    const warned = async (query: string) => {
      const { text, warnings } = await context({ query, path: root });
      const isWarning = warnings.some((warning) => unread.test(warning));
      expect(text.startsWith("*The history is read since ")).toBe(isWarning);
      return isWarning;
    };
    await index({ path: root, historyYears: 5 });
    expect(await warned("why was DEFAULT_POOL_SIZE changed?")).toBe(true);
    expect(await warned("what is DEFAULT_POOL_SIZE used for?")).toBe(false);
    await index({ path: root, historyYears: 0 });
    expect(await warned("why was DEFAULT_POOL_SIZE changed?")).toBe(false);
  });
});
