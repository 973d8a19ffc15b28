import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { descriptionKey, openDescriptionCache } from "../descriptions/description-cache.ts";
import { packDescription } from "../descriptions/pack-description.ts";
import { type DescribeJob, describeRead, prepareDescribing, readPath } from "./describe.ts";
import type { Reply, WorkerData } from "./pool.ts";
import { nextJob, noJob, type SharedQueue } from "./shared-jobs.ts";

/** The program of a worker thread: describes one file after the other, in order. */

const port = parentPort;
if (!port) throw new Error("This program only runs in a worker thread.");

const { context, cache: cacheFolders } = workerData as WorkerData;
const cache = cacheFolders && openDescriptionCache(cacheFolders);
let last: Promise<void> = Promise.resolve();

port.on("message", (message: DescribeJob | SharedQueue) => {
  last = last.then(() => ("claims" in message ? workOff(message) : answer(message)));
});
port.postMessage("ready");

async function answer(job: DescribeJob): Promise<void> {
  const { outcome, bytes } = await work(job);
  const heap = getHeapStatistics();
  const reply: Reply = { outcome, memory: heap.total_heap_size + heap.external_memory };
  port!.postMessage(reply, bytes ? [bytes.buffer] : []);
}

/** Takes jobs until the queue is empty; other threads take from the same queue. */
async function workOff({ jobs, claims, own, slot }: SharedQueue): Promise<void> {
  const doOne = async (place: number) => {
    Atomics.store(claims, slot, place);
    await answer(jobs[place]!);
    Atomics.store(claims, slot, noJob);
  };
  await prepareDescribing(jobs);
  for (let place = 0; place < own; place++) await doOne(place);
  for (let place = nextJob(claims); place < jobs.length; place = nextJob(claims)) await doOne(place);
}

async function work(job: DescribeJob): Promise<{ outcome: Reply["outcome"]; bytes?: Uint8Array<ArrayBuffer> }> {
  const file = readPath(context, job);
  if ("is" in file) return { outcome: file };
  const { path, size, modified, hash } = file;
  const stamp = { path, size, modified, hash };
  const cached = cache?.read(descriptionKey(path, hash));
  if (cached) return { outcome: { ...stamp, is: "packed", bytes: cached, isCached: true }, bytes: cached };
  const outcome = await describeRead(file);
  if (outcome.is !== "described") return { outcome };
  const bytes = packDescription(outcome.file);
  return { outcome: { ...stamp, is: "packed", bytes, isCached: false }, bytes };
}
