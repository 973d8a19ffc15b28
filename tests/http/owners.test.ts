import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scopeRange } from "../../src/operations/core/access.ts";
import { allOperations } from "../../src/operations/core/registry.ts";
import { idOf, noteOf, writeNotes } from "../notes/notes-workspace.ts";
import { experienceRecord, longAgo, memoryRecord } from "../sample-records.ts";
import { attempts } from "./attempts.ts";
import { ask, bearer, type HttpAnswer, post, type RunningServer, start } from "./http-server.ts";

/** Only she has ever written this; he asks for the word beside it and for her ids, so that he never says it himself. */
const secret = "zanzibarium";
const beside = "plumbago";

const operations = (await allOperations()).filter(({ onlyOn }) => onlyOn === undefined);

const shownToHer = [
  "context",
  "search",
  "tana_context",
  "prime_context",
  "memories",
  "export",
  "get_document",
  "threads",
  "mentions",
  "experiences",
  "values",
];

const value = {
  text: `Measure ${beside} ${secret} first.`,
  axis: "full",
  members: ["exp-hers"],
  distance: 0.1,
  threshold: 0.2,
  validatedAt: longAgo,
  state: "valid",
};

const records = [
  memoryRecord("hers", `The ${beside} ${secret} cache is kept for an hour.`, { tags: [secret] }),
  experienceRecord("hers", {
    goal: `make ${beside} ${secret} faster`,
    hypothesis: `${secret} is slow`,
    domain: "debugging",
  }),
  { id: "val-hers", type: "value" as const, created: longAgo, changed: longAgo, body: value },
];

describe("over HTTP, one owner never sees or changes what another has", () => {
  let running: RunningServer;
  let her: string;
  let him: string;
  let ids: string[];
  let before: string;

  const say = async (key: string, path: string, body: unknown): Promise<HttpAnswer> =>
    post(`${running.url}${path}`, body, bearer(key));

  /** All that she has, as she sees it. */
  const hers = async (): Promise<string> => {
    const thread = ids.find((id) => id.startsWith("thr-"));
    const answers = [
      await say(her, "/v1/export", {}),
      await say(her, "/v1/memories", { deleted: true }),
      await say(her, "/v1/documents", {}),
      await say(her, "/v1/get_document", { document: `notes/${beside}.md`, touch: false }),
      await say(her, "/v1/threads", {}),
      await say(her, "/v1/thread", { step: "show", thread }),
      await say(her, "/v1/references", { step: "list", thread }),
    ];
    for (const { status, text } of answers) expect({ status, text }).toMatchObject({ status: 200 });
    return answers.map(({ text }) => text).join("\n");
  };

  beforeAll(async () => {
    running = await start({ files: { "a.md": "# A\n\nNothing of importance.\n" }, settings: { rate: 0 } });
    her = await running.key("her", "admin");
    him = await running.key("him", "admin");
    await (await running.workspace.records()).write("her", records);
    const note = noteOf("hernote", `The plan of ${beside} ${secret}`, { tags: [secret] });
    await writeNotes({ ...running.workspace, owner: "her" }, [note]);
    const document = await say(her, "/v1/put_document", {
      document: `notes/${beside}.md`,
      content: `# ${beside}\n\nThe ${beside} ${secret} is closed on Fridays.\n`,
    });
    const thread = await say(her, "/v1/thread", { step: "create", title: `${beside} ${secret}` });
    const jsonAs = <Type>(answer: HttpAnswer) => answer.json as unknown as Type;
    const threadId = jsonAs<{ thread: { id: string } }>(thread).thread.id;
    const message = await say(her, "/v1/say", { thread: threadId, text: `Is ${beside} ${secret} open?` });
    await say(her, "/v1/references", { step: "add", thread: threadId, target: `notes/${beside}.md` });
    const messageId = /msg-[0-9a-z]+/.exec(message.text)![0];
    const documentId = jsonAs<{ document: { id: string } }>(document).document.id;
    ids = ["mem-hers", "exp-hers", "val-hers", idOf("hernote"), documentId, threadId, messageId, `notes/${beside}.md`];
  });
  afterAll(() => running.close());

  it("though she sees it herself by the same requests", async () => {
    const seen = new Set<string>();
    for (const operation of operations.filter((each) => scopeRange(each).most === "read")) {
      for (const input of attempts(operation, [beside, ids[4]!])) {
        const { text } = await say(her, `/v1/${operation.name}`, input);
        if (text.includes(secret)) seen.add(operation.name);
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(shownToHer));
    // After her own questions, which count as opening and checking what she has.
    before = await hers();
    expect(before.split(secret).length).toBeGreaterThan(6);
  });

  it.each(operations)("by POST /v1/$name", async (operation) => {
    let understood = 0;
    for (const input of attempts(operation, [beside, ...ids])) {
      const { status, text } = await say(him, `/v1/${operation.name}`, input);
      expect({ input, text }).toEqual({ input, text: expect.not.stringContaining(secret) });
      // What is not his does not exist: it is not forbidden, and nothing breaks over it.
      expect({ input, status }).toEqual({
        input,
        status: expect.toSatisfy((each: number) => each !== 403 && each < 500),
      });
      if (status !== 400) understood++;
    }
    expect(understood).toBeGreaterThan(0);
  });

  it("by the other routes", async () => {
    for (const id of [beside, ...ids]) {
      for (const [path, body] of [
        ["/context/build", { threadId: id, message: beside }],
        ["/context/build", { message: `${beside} @${id}`, references: [id] }],
        ["/context/feedback", { contextItemId: id, useful: true }],
      ] as const) {
        expect((await say(him, path, body)).text).not.toContain(secret);
      }
    }
    for (const path of ["/context/stats", "/metrics", "/openapi.json", "/docs", "/readyz", "/healthz"]) {
      const { text, status } = await ask(running.url + path, { headers: bearer(him) });
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toContain(secret);
    }
  });

  it("by a thread of hers is told that there is none", async () => {
    const thread = ids.find((id) => id.startsWith("thr-"))!;
    for (const [path, body] of [
      ["/v1/thread", { step: "show", thread }],
      ["/v1/thread", { step: "delete", thread, purge: true }],
      ["/v1/say", { thread, text: "mine" }],
      ["/v1/get_document", { document: `notes/${beside}.md` }],
      ["/context/build", { threadId: thread, message: beside }],
    ] as const) {
      const { status, json } = await say(him, path, body);
      expect([path, status, json.error.code]).toEqual([path, 404, "not-found"]);
    }
  });

  it("and all of hers is as it was", async () => {
    expect(await hers()).toBe(before);
  });

  it("and the log names neither", () => {
    expect(running.log.length).toBeGreaterThan(100);
    expect(JSON.stringify(running.log)).not.toMatch(/"(her|him)"|plumbago|zanzibarium/);
  });
});
