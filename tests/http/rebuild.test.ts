import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { createClient } from "../../src/client/client.ts";
import { DossierError } from "../../src/errors.ts";
import { operation } from "../../src/operations/core/operation.ts";
import { createWork } from "../../src/surfaces/http/running-work.ts";
import { bearer, post, type RunningServer, start } from "./http-server.ts";

let running: RunningServer | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const files = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [`word${i}.md`, `# Title\n\nThe uniqueword${i} is here.\n`]),
);

/** A promise that is kept from outside. */
function promised<Value = void>() {
  let keep: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}

const ticks = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

describe("what is done alone", () => {
  const never = new AbortController().signal;

  it("waits for other work, and lets new work wait", async () => {
    const work = createWork(10, () => undefined);
    const [other, done] = [promised(), promised()];
    const order: string[] = [];
    const first = work.run(never, async () => {
      await other.promise;
      order.push("other");
    });
    const alone = work.run(never, () =>
      work.alone(async () => {
        order.push("alone");
        await done.promise;
        order.push("done");
      }),
    );
    await ticks();
    const later = work.run(never, async () => order.push("later"));
    await ticks();
    expect(order).toEqual([]);
    other.keep();
    await first;
    await ticks();
    expect(order).toEqual(["other", "alone"]);
    done.keep();
    await Promise.all([alone, later, work.idle()]);
    expect(order).toEqual(["other", "alone", "done", "later"]);
  });

  it("is refused a second time, and when others take too long; then all goes on", async () => {
    const work = createWork(10, () => undefined, 20);
    const other = promised();
    const held = work.run(never, () => other.promise);
    const alone = async (after?: Promise<void>) =>
      work.run(never, async () => {
        await after;
        return work.alone(async () => "done");
      });
    const begun = promised();
    const both = Promise.allSettled([alone(begun.promise), alone(begun.promise)]);
    begun.keep();
    const [first, second] = await both;
    expect([first, second].map((each) => String((each as PromiseRejectedResult).reason))).toEqual([
      expect.stringMatching(/Other requests take too long/),
      expect.stringMatching(/under way already/),
    ]);
    expect(await work.run(never, async () => "goes on")).toBe("goes on");
    other.keep();
    await held;
    expect(await alone()).toBe("done");
  });

  it("lets go when it fails, and lets waiting work be aborted", async () => {
    const work = createWork(10, () => undefined);
    const done = promised();
    const alone = work.run(never, () =>
      work.alone(async () => {
        await done.promise;
        throw new DossierError("store-locked", "Locked.");
      }),
    );
    await ticks();
    const leaving = new AbortController();
    let began = false;
    const waiting = work.run(leaving.signal, async () => {
      began = true;
    });
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ code: "interrupted" });
    done.keep();
    await expect(alone).rejects.toMatchObject({ code: "store-locked" });
    await work.idle();
    expect(began).toBe(false);
    expect(await work.run(never, async () => 1)).toBe(1);
  });
});

describe("rebuilding over HTTP", () => {
  it("is an admin's to do", async () => {
    running = await start({ files });
    const { url, key } = running;
    for (const scope of ["read", "write"] as const) {
      expect((await post(`${url}/v1/index`, { rebuild: true }, bearer(await key("ada", scope)))).status).toBe(403);
    }
    const admin = createClient({ url, key: await key("ada", "admin") });
    const { files: counted, total } = await admin.index({ rebuild: true });
    expect([counted.indexed, total.files]).toEqual([20, 20]);
    const again = await admin.index({});
    expect(again.files.indexed).toBe(0);
    expect((await admin.index({ rebuild: true })).files.indexed).toBe(20);
  });

  it("keeps what was written down, and gives every owner a whole index again", async () => {
    running = await start({ files });
    const { url, key } = running;
    const [ada, bob] = [
      createClient({ url, key: await key("ada", "admin") }),
      createClient({ url, key: await key("bob", "write") }),
    ];
    await bob.remember({ content: "The zanzibarium opens at noon." });
    await bob.putDocument({ document: "plan.md", content: "The plumbago is watered on Fridays." });
    const ask = async () => {
      const hits = await bob.search({ query: "uniqueword7" });
      const briefing = await bob.assembleContext({ query: "when does the zanzibarium open?", minScore: 0 });
      const primed = await bob.primeContext({ message: "when is the plumbago watered?" });
      return [hits.results[0]?.path, /opens at noon/.test(briefing.markdown), /on Fridays/.test(primed.text)];
    };
    expect(await ask()).toEqual(["word7.md", true, true]);
    await ada.index({ rebuild: true });
    expect(await ask()).toEqual(["word7.md", true, true]);
    expect((await bob.status()).files).toBe(20);
  });

  it("breaks no question that is asked meanwhile", async () => {
    running = await start({ files, settings: { rate: 0 } });
    const { url, key } = running;
    const [ada, bob] = [await key("ada", "admin"), await key("bob", "read")];
    let goOn = true;
    const wrong: unknown[] = [];
    let asked = 0;
    const asker = async (number: number) => {
      while (goOn) {
        const { status, text } = await post(`${url}/v1/search`, { query: `uniqueword${number}` }, bearer(bob));
        asked++;
        if (status !== 200 || !text.includes(`word${number}.md`)) wrong.push({ status, text: text.slice(0, 300) });
      }
    };
    const askers = Array.from({ length: 4 }, (_, number) => asker(number));
    for (let i = 0; i < 3; i++) {
      const before = asked;
      expect((await post(`${url}/v1/index`, { rebuild: true }, bearer(ada))).status).toBe(200);
      while (asked < before + 4) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    goOn = false;
    await Promise.all(askers);
    expect(wrong).toEqual([]);
  });

  it("does not wait for ever for one who does not end", async () => {
    const { promise, keep } = promised();
    const wait = operation({
      name: "wait",
      summary: "Wait until the test lets it go",
      input: z.object({}),
      output: z.object({}),
      run: async () => {
        await promise;
        return {};
      },
    });
    const metrics = await import("../../src/surfaces/http/metrics.ts").then(({ createMetrics }) => createMetrics());
    running = await start({ files, more: [wait], work: createWork(10, metrics.running, 50) });
    const { url } = running;
    const held = post(`${url}/v1/wait`, {});
    await post(`${url}/v1/status`, {});
    const refused = await post(`${url}/v1/index`, { rebuild: true });
    expect([refused.status, refused.json.error.code, refused.headers["retry-after"]]).toEqual([
      503,
      "server-busy",
      "1",
    ]);
    keep();
    expect((await held).status).toBe(200);
    expect((await post(`${url}/v1/index`, { rebuild: true })).status).toBe(200);
  });
});
