import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { folder } from "../../../tests/workspace.ts";
import { DossierError } from "../../errors.ts";
import { plant } from "../../learned/cluster/planted.samples.ts";
import type { Store } from "../../stores/store.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { call } from "../core/call.ts";
import { index } from "../index/index-workspace.ts";
import { restore } from "../memory/restore.ts";
import { clusters } from "./clusters.ts";
import { experience } from "./experience.ts";
import { plantedFolder, record, remove, revisionOf } from "./value.samples.ts";
import { value } from "./value.ts";
import { values } from "./values.ts";

const four = { topics: 4, perTopic: 12, unrelated: 6 };
const owner = (name: string) => ({ owner: name });

async function listClusters(path: string, input: Partial<z.input<typeof clusters.input>> = {}, options = {}) {
  return (await call(clusters, { path, ...input }, options)).output;
}
async function does(path: string, input: z.input<typeof value.input>, options = {}) {
  return (await call(value, { path, ...input }, options)).output;
}
async function listValues(path: string, input: Partial<z.input<typeof values.input>> = {}, options = {}) {
  return (await call(values, { path, ...input }, options)).output;
}
async function clusterAbout(path: string, word: string) {
  const { clusters } = await listClusters(path, { members: 100 });
  return clusters.find(({ words }) => words.includes(word))!;
}
/** Proposes and adds a value for the cluster that speaks of a word. */
async function addValueAbout(path: string, word: string) {
  const cluster = await clusterAbout(path, word);
  const { check } = await does(path, { step: "propose", id: cluster.id });
  const { values } = await does(path, { step: "add", id: cluster.id, text: check!.text });
  return { cluster, value: values[0]! };
}

describe("clusters", () => {
  it("lists what is alike, largest first, with members, words, threshold and centroid", async () => {
    const path = await plantedFolder({ topics: 4, perTopic: 12, unrelated: 6 });
    const output = await listClusters(path);
    expect(output).toMatchObject({ axis: "full", experiences: 54, missing: 0, total: 4, smallest: 5 });
    expect(output.clustered).toBe(output.clusters.reduce((sum, { size }) => sum + size, 0));
    for (const cluster of output.clusters) {
      expect(cluster.id).toMatch(/^clu-full-[0-9a-z]+$/);
      expect(cluster.members.length).toBe(5);
      expect(cluster.words.length).toBeGreaterThan(3);
      expect(cluster.threshold).toBeGreaterThan(0);
      expect(Math.hypot(...cluster.centroid)).toBeCloseTo(1, 2);
      const distances = cluster.members.map(({ distance }) => distance);
      expect(distances).toEqual([...distances].sort((a, b) => a - b));
      expect(cluster.members[0]).toMatchObject({ tier: expect.any(String), goal: expect.stringContaining(" ") });
    }
    const input = clusters.input.parse({ path });
    const text = clusters.text!(output, input, false);
    expect(text.split("\n").length).toBe(4 * 7 + 1);
    expect(text).not.toContain(String(output.clusters[0]!.centroid[0]));
    expect((await listClusters(path, { limit: 1, members: 0 })).clusters).toMatchObject([{ members: [] }]);
  });

  it("says how many experiences are missing, and that is no error", async () => {
    const empty = folder({});
    expect(await listClusters(empty)).toMatchObject({ experiences: 0, missing: 20, total: 0, clusters: [] });
    const path = await plantedFolder({ topics: 3, perTopic: 4, unrelated: 0 });
    const output = await listClusters(path);
    expect(output).toMatchObject({ experiences: 12, missing: 8, clusters: [] });
    expect(clusters.text!(output, clusters.input.parse({ path }), false)).toBe(
      "There are 12 resolved experiences; clusters are looked for from 20 on: 8 more.",
    );
    const one = { ...output, experiences: 1, missing: 19 };
    expect(clusters.text!(one, clusters.input.parse({ path }), false)).toBe(
      "There is 1 resolved experience; clusters are looked for from 20 on: 19 more.",
    );
  });

  it("leaves out what is not resolved yet", async () => {
    const path = await plantedFolder({ topics: 3, perTopic: 10, unrelated: 0 });
    const before = await listClusters(path, { members: 100 });
    const { goal, hypothesis, action, prediction, domain, strategy } = plant(four)[0]!.experience;
    await call(experience, { path, step: "start", goal, hypothesis, action, prediction, domain, strategy });
    expect(await listClusters(path, { members: 100 })).toEqual(before);
    await call(experience, { path, step: "resolve", status: "confirmed", result: "as predicted" });
    expect((await listClusters(path)).experiences).toBe(31);
  });

  it("is looked for again when something was written since, and stops when it is interrupted", async () => {
    const path = await plantedFolder({ topics: 3, perTopic: 8, unrelated: 0 });
    const workspace = await openWorkspace(path);
    const first = await listClusters(path, {}, { workspace });
    expect(await listClusters(path, {}, { workspace })).toEqual(first);
    await record(path, plant({ topics: 3, perTopic: 4, unrelated: 0, seed: 8 }));
    expect((await listClusters(path, {}, { workspace })).experiences).toBe(36);
    expect((await listClusters(path, { axis: "strategy" }, { workspace })).axis).toBe("strategy");
    await workspace.close();
    await expect(listClusters(path, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "interrupted",
    });
  });

  it("names the axes there are", async () => {
    const axis = "goals" as "full";
    await expect(listClusters(".", { axis })).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringContaining("full, strategy, surprise, root_cause"),
    });
  });
});

describe("value", () => {
  it("is proposed, checked, added, listed, forgotten and restored", async () => {
    const path = await plantedFolder(four);
    const cluster = await clusterAbout(path, "pool");
    const proposed = await does(path, { step: "propose", id: cluster.id });
    expect(proposed.check).toMatchObject({ valid: true });
    expect(proposed.check!.text.length).toBeLessThanOrEqual(500);
    expect(proposed.check!.distance).toBeLessThanOrEqual(proposed.check!.threshold);
    expect(proposed.check!.threshold).toBe(cluster.threshold);
    const { text } = proposed.check!;
    expect((await does(path, { step: "check", id: cluster.id, text })).check).toEqual(proposed.check);

    const { values: added } = await does(path, { step: "add", id: cluster.id, text });
    expect(added).toMatchObject([{ text, axis: "full", state: "valid", size: cluster.size, cluster: cluster.id }]);
    expect(added[0]!.id).toMatch(/^val-[0-9a-z]{13}$/);
    expect(await listValues(path)).toMatchObject({ total: 1, values: [{ id: added[0]!.id, state: "valid" }] });
    const { values: shown } = await does(path, { step: "show", id: added[0]!.id });
    expect(shown[0]!.members.length).toBe(cluster.size);

    await does(path, { step: "forget", id: added[0]!.id.slice(0, 8) });
    expect((await listValues(path)).total).toBe(0);
    await call(restore, { path, ids: [added[0]!.id] });
    expect((await listValues(path)).total).toBe(1);
  });

  it("is refused with the numbers and the words that would bring it nearer", async () => {
    const path = await plantedFolder(four);
    const { id } = await clusterAbout(path, "pool");
    const text = "Test every breakpoint of the layout in a narrow viewport";
    const { check } = await does(path, { step: "check", id, text });
    expect(check).toMatchObject({ valid: false, nearer: expect.arrayContaining(["pool"]) });
    expect(check!.distance).toBeGreaterThan(check!.threshold);
    expect(value.exit!({ check, values: [], warnings: [] })).toBe(1);
    await expect(does(path, { step: "add", id, text })).rejects.toMatchObject({
      code: "does-not-fit",
      message: expect.stringMatching(
        /^The text is 0\.\d{3} away .*; at most 0\.\d{3} is allowed\. Nearer with: .*pool/,
      ),
    });
    expect((await listValues(path)).total).toBe(0);
  });

  it("is found by the id of any experience in the cluster, on the axis that is asked for", async () => {
    const path = await plantedFolder({ topics: 3, perTopic: 40, unrelated: 5 });
    const cluster = await clusterAbout(path, "pool");
    const member = cluster.members.at(-1)!.id;
    expect((await does(path, { step: "propose", id: member })).cluster!.id).toBe(cluster.id);
    expect((await does(path, { step: "propose", id: `[${cluster.id}]` })).cluster!.id).toBe(cluster.id);
    const { clusters: failures } = await listClusters(path, { axis: "surprise" });
    const failed = failures[0]!.members[0]!.id;
    const onAxis = await does(path, { step: "propose", id: failed, axis: "surprise" });
    expect(onAxis.cluster).toMatchObject({ axis: "surprise", id: failures[0]!.id });
    expect((await does(path, { step: "propose", id: `${failed}-surprise` })).cluster!.id).toBe(failures[0]!.id);
  });

  it("is the same value when the same text is added again, and says so of a text that is nearly the same", async () => {
    const path = await plantedFolder(four);
    const { cluster, value: first } = await addValueAbout(path, "pool");
    const again = await does(path, { step: "add", id: cluster.id, text: first.text });
    expect(again.values[0]).toMatchObject({ id: first.id, created: first.created });
    const shouted = await does(path, { step: "add", id: cluster.id, text: `${first.text.toUpperCase()}!` });
    expect(shouted.warnings).toEqual([`${first.id} says nearly the same: ${first.text}`]);
    expect((await listValues(path)).total).toBe(2);
  });

  it("writes no secret down", async () => {
    const path = await plantedFolder(four);
    const { cluster, value: first } = await addValueAbout(path, "pool");
    const key = `AKIA${"IOSFODNN7QWERTYU"}`;
    const { values: added, warnings } = await does(path, { step: "add", id: cluster.id, text: `${first.text} ${key}` });
    expect(added[0]!.text).not.toContain(key);
    expect(warnings.join()).toContain("secret");
  });

  it("refuses what it cannot use", async () => {
    const path = await plantedFolder(four);
    const { id } = await clusterAbout(path, "pool");
    const refused = async (input: z.input<typeof value.input>, code: string, message: RegExp) =>
      expect(does(path, input)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    await refused({ step: "check", id }, "bad-input", /^value check also needs text\.$/);
    await refused({ step: "add" }, "bad-input", /^value add also needs id and text\.$/);
    await refused({ step: "propose", id, text: "x" }, "bad-input", /^value propose takes no text\.$/);
    await refused({ step: "add", id, text: "x".repeat(501) }, "too-long", /^text is 501 characters long; at most 500/);
    await refused({ step: "add", id, text: "  " }, "bad-input", /^text is empty/);
    await refused({ step: "explain" as "add" }, "bad-input", /propose, check, add, show, revalidate, forget/);
    await refused({ step: "propose", id: "clu-full-nothere" }, "not-found", new RegExp(`there are .*${id}`));
    await refused({ step: "propose", id: "clu-full-" }, "bad-input", /could be any of clu-full-/);
    await refused({ step: "propose", id: "clu-goals-1" }, "not-found", /no id of a cluster/);
    await refused({ step: "propose", id, axis: "surprise" }, "bad-input", /is on the axis full, not surprise/);
    await refused({ step: "propose", id: "exp-nothere" }, "not-found", /is in no cluster on the axis full; there are/);
    await refused({ step: "propose", id: "'; DROP TABLE records" }, "not-found", /no id of a cluster/);
    await refused({ step: "forget", id: "val-nothere" }, "not-found", /There is no value/);
    await refused({ step: "show", id }, "not-found", /no id of a value/);
    const few = await plantedFolder({ topics: 1, perTopic: 3, unrelated: 0 });
    await expect(does(few, { step: "propose", id })).rejects.toMatchObject({
      code: "not-found",
      message: "There are 3 resolved experiences with the axis full; clusters are looked for from 20 on.",
    });
    await expect(does(folder({}), { step: "propose", id })).rejects.toMatchObject({ code: "not-found" });
    expect(await does(folder({}), { step: "revalidate" })).toEqual({ values: [], warnings: [] });
  });

  it("belongs to its owner alone", async () => {
    const path = await plantedFolder(four);
    const { cluster, value: own } = await addValueAbout(path, "pool");
    expect(await listClusters(path, {}, owner("other"))).toMatchObject({ experiences: 0, missing: 20, clusters: [] });
    expect((await listValues(path, {}, owner("other"))).total).toBe(0);
    const asOther = (input: z.input<typeof value.input>) => expect(does(path, input, owner("other"))).rejects;
    await asOther({ step: "propose", id: cluster.id }).toMatchObject({ code: "not-found" });
    await asOther({ step: "add", id: cluster.id, text: own.text }).toMatchObject({ code: "not-found" });
    await asOther({ step: "show", id: own.id }).toMatchObject({ code: "not-found" });
    await asOther({ step: "forget", id: own.id }).toMatchObject({ code: "not-found" });
    expect((await does(path, { step: "revalidate" }, owner("other"))).values).toEqual([]);
    // Another's experiences do not move this one's clusters.
    await record(path, plant({ ...four, seed: 9 }), "other");
    expect(await clusterAbout(path, "pool")).toEqual(cluster);
  });

  it("outlives the index", async () => {
    const path = await plantedFolder(four);
    const { cluster, value: own } = await addValueAbout(path, "pool");
    await listValues(path);
    await call(index, { path, rebuild: true });
    expect((await listValues(path)).values).toMatchObject([{ id: own.id, text: own.text, state: "valid" }]);
    expect(await clusterAbout(path, "pool")).toEqual(cluster);
  });
});

describe("a value whose cluster changes", () => {
  it("follows it while it grows", async () => {
    const all = plant({ topics: 4, perTopic: 20, unrelated: 6 });
    const path = await plantedFolder({ topics: 1, perTopic: 1, unrelated: 0, seed: 77 });
    await record(path, all.slice(0, 50));
    const { value: before } = await addValueAbout(path, "pool");
    await record(path, all.slice(50));
    const { values: after } = await listValues(path);
    expect(after).toMatchObject([{ id: before.id, state: "valid", text: before.text }]);
    expect(after[0]!.size).toBeGreaterThan(before.size);
  });

  it("is moved when its experiences are forgotten, and valid when they are back", async () => {
    const path = await plantedFolder(four);
    const { cluster, value: own } = await addValueAbout(path, "pool");
    const members = cluster.members.map(({ id }) => id);
    await remove(path, members);
    expect(await listValues(path)).toMatchObject({ values: [{ id: own.id, state: "moved", size: cluster.size }] });
    expect((await listValues(path, { state: "valid" })).total).toBe(0);
    const { values: why } = await does(path, { step: "revalidate", id: own.id });
    expect(why).toMatchObject([{ state: "moved", why: "cluster-gone" }]);
    await remove(path, members, true);
    expect(await listValues(path, { state: "valid" })).toMatchObject({ values: [{ id: own.id, size: cluster.size }] });
  });

  it("stays with its cluster when experiences of another kind with the same words come beside it", async () => {
    const path = await plantedFolder({ topics: 4, perTopic: 8, unrelated: 0 });
    const { value: own } = await addValueAbout(path, "pool");
    const swimming = plant({ topics: 1, perTopic: 30, unrelated: 0, seed: 5, from: 1 }).map((each) => {
      const reworded = (text: string) => `${text} in the swimming pool's connection of lanes and idle client bookings`;
      const { goal, hypothesis, action } = each.experience;
      const texts = { goal: reworded(goal), hypothesis: reworded(hypothesis), action: reworded(action) };
      return { ...each, experience: { ...each.experience, ...texts } };
    });
    await record(path, swimming);
    const [listed] = (await listValues(path)).values;
    expect(listed).toMatchObject({ id: own.id, state: "valid", size: own.size });
    expect(listed!.threshold).not.toBe(own.threshold);
  });

  it("is moved when more experiences show that the cluster was several", async () => {
    const all = plant({ topics: 6, perTopic: 11, unrelated: 0, seed: 4 });
    const path = folder({});
    await record(path, all.slice(0, 24));
    const [widest] = (await listClusters(path, { members: 100 })).clusters;
    const topicsOf = (ids: string[]) => new Set(all.filter(({ id }) => ids.includes(id)).map(({ topic }) => topic));
    expect(topicsOf(widest!.members.map(({ id }) => id)).size).toBeGreaterThan(1);
    const { check } = await does(path, { step: "propose", id: widest!.id });
    await does(path, { step: "add", id: widest!.id, text: check!.text });
    await record(path, all.slice(24));
    expect((await listClusters(path)).total).toBeGreaterThanOrEqual(6);
    expect(await listValues(path)).toMatchObject({ values: [{ text: check!.text, state: "moved" }] });
  });

  it("is compared again only when experiences have changed that count", async () => {
    const path = await plantedFolder(four);
    await addValueAbout(path, "pool");
    await listValues(path);
    const revision = await revisionOf(path);
    expect((await listValues(path)).uncompared).toBe(0);
    const { goal, hypothesis, action, prediction, domain, strategy } = plant(four)[0]!.experience;
    await call(experience, { path, step: "start", goal, hypothesis, action, prediction, domain, strategy });
    expect((await listValues(path)).uncompared).toBe(0);
    // Only the experience itself was written: one change of the workspace's records, above those of its user's own.
    expect(await revisionOf(path)).toBe(revision + 2 ** 24);
  });

  it("waits for more changes among many experiences, says so, and can be told not to", async () => {
    const path = await plantedFolder({ topics: 4, perTopic: 60, unrelated: 10 });
    const { cluster, value: own } = await addValueAbout(path, "pool");
    await listValues(path);
    await remove(path, [cluster.members[0]!.id]);
    expect(await listValues(path)).toMatchObject({ uncompared: 1, values: [{ size: own.size }] });
    const { values: now } = await does(path, { step: "revalidate" });
    expect(now).toMatchObject([{ id: own.id, state: "valid", why: "fits", size: own.size - 1 }]);
    await remove(
      path,
      cluster.members.slice(1, 6).map(({ id }) => id),
    );
    expect(await listValues(path)).toMatchObject({ uncompared: 0, values: [{ size: own.size - 6 }] });
  });
});

describe("values", () => {
  it("are ranked by a question", async () => {
    const path = await plantedFolder(four);
    const about = new Map<string, string>();
    for (const word of ["pool", "timer", "token"]) about.set(word, (await addValueAbout(path, word)).value.id);
    const { values: matches } = await listValues(path, { query: "flaky test with fake timers" });
    expect(matches[0]).toMatchObject({ id: about.get("timer"), score: expect.any(Number) });
    expect((await listValues(path, { query: "token expiry", limit: 1 })).values[0]!.id).toBe(about.get("token"));
    expect((await listValues(path, { axis: "surprise" })).total).toBe(0);
    expect(await listValues(path, { limit: 1, offset: 1 })).toMatchObject({ total: 3, values: [{}] });
  });

  it("are listed as they were when nothing can be written", async () => {
    const path = await plantedFolder(four);
    const { value: own } = await addValueAbout(path, "pool");
    const workspace = await openWorkspace(path);
    const locked = () => Promise.reject(new DossierError("store-locked", "Someone is writing."));
    const store: Store = {
      ...workspace.store,
      shelf: (name) => ({ ...workspace.store.shelf(name), writeMetadata: locked }),
    };
    const output = await listValues(path, {}, { workspace: { ...workspace, store } });
    await workspace.close();
    expect(output.values).toMatchObject([{ id: own.id, state: "valid" }]);
    expect(output.warnings).toEqual(["The values were not compared with the experiences: Someone is writing."]);
  });

  it("read well on a terminal", async () => {
    const path = await plantedFolder(four);
    const { value: own } = await addValueAbout(path, "pool");
    const output = await listValues(path);
    const lines = values.text!(output, values.input.parse({ path }), false).split("\n");
    const fit = `${own.distance.toFixed(2)} of at most ${own.threshold.toFixed(2)} away`;
    expect(lines).toEqual([`${own.id}  valid, full, ${own.size} experiences, ${fit}`, `  ${own.text}`]);
    expect(values.text!({ total: 0, values: [], uncompared: 0, warnings: [] }, values.input.parse({}), false)).toBe(
      "There are no such values.",
    );
  });
});
