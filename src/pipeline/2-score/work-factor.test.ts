import { afterAll, beforeAll, expect, it } from "vitest";
import { rank } from "../../assemble.ts";
import { updateIndex } from "../../indexing/files/update.ts";
import { searchInput } from "../../options.ts";
import { folder } from "../../tree/folder.cases.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";

const files = {
  "src/options.ts": `
export class Options {
  /** Whether a failed request is sent again. */
  withRetries(value: boolean) {
    this.resend = value;
    return this;
  }
  /** How often a failed request is sent again. */
  get most() {
    return this.attempts;
  }
}
`,
  "src/sender.ts": `
export interface Sender {
  /** Sends a failed request again. */
  sendAgain(request: Request): void;
}
`,
  "src/queue.ts": `
export async function drain(queue: Queue, options: Options) {
  for (const entry of queue.entries()) {
    const answer = await entry.send();
    const failed = !answer.ok && answer.status >= 500;
    if (!failed || entry.attempts >= options.attempts) {
      queue.remove(entry.request);
      continue;
    }
    // The request failed: it is sent again after a while.
    if (answer.retryAfter) await pause(answer.retryAfter);
    else await pause(2 ** entry.attempts);
    sender.sendAgain(entry.request);
  }
}
`,
};

let workspace: Workspace;
beforeAll(async () => {
  workspace = await openWorkspace(folder(files));
  await updateIndex(workspace, { workers: 0 });
});
afterAll(() => workspace.close());

async function ranked(query: string) {
  return (await rank(workspace, searchInput.parse({ query }))).ordered;
}

it("lifts the code that decides above what describes, where the question is what the project does", async () => {
  const lead = async (query: string) => {
    const ordered = await ranked(query);
    const scoreOf = (name: string) => ordered.find(({ item }) => item.name === name)!.score;
    return scoreOf("drain") / Math.max(scoreOf("most"), scoreOf("withRetries"), scoreOf("Sender"));
  };
  expect(await lead("when is a failed request sent again?")).toBeGreaterThan(
    1.1 * (await lead("failed request sent again")),
  );
});

it("does not push down what the question names", async () => {
  expect((await ranked("what does withRetries do?"))[0]!.item.name).toBe("withRetries");
});

it("counts what the body says, in a short question, more than what describes it", async () => {
  const body = async (query: string) =>
    (await ranked(query)).find(({ item }) => item.name === "drain")!.because.body ?? 0;
  expect(await body("when is a failed request sent again?")).toBeGreaterThan(0);
  expect(await body("failed request sent again")).toBe(0);
  const long =
    "when does the drain of a queue with entries and options remove an entry whose answer has a status, and pause until a failed request is sent again?";
  expect(await body(long)).toBe(0);
});
