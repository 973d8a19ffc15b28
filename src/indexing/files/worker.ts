import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { descriptionKey, openKept } from "../descriptions/kept.ts";
import { packDescription } from "../descriptions/packed.ts";
import { type DescribeJob, describeRead, readPath } from "./describe.ts";
import type { Reply, WorkerData } from "./pool.ts";

/** The program of one worker thread: describes one file after the other, in the order they come. */

const port = parentPort;
if (!port) throw new Error("This program only runs in a worker thread.");

const { ground, kept: keptPlace } = workerData as WorkerData;
const kept = keptPlace && openKept(keptPlace);
let last: Promise<void> = Promise.resolve();

port.on("message", (job: DescribeJob) => {
  last = last.then(async () => {
    const { outcome, bytes } = await work(job);
    const heap = getHeapStatistics();
    const reply: Reply = { outcome, memory: heap.total_heap_size + heap.external_memory };
    port.postMessage(reply, bytes ? [bytes.buffer] : []);
  });
});
port.postMessage("ready");

async function work(job: DescribeJob): Promise<{ outcome: Reply["outcome"]; bytes?: Uint8Array<ArrayBuffer> }> {
  const read = readPath(ground, job);
  if ("is" in read) return { outcome: read };
  const { path, size, modified, hash } = read;
  const stamp = { path, size, modified, hash };
  const known = kept?.read(descriptionKey(path, hash));
  if (known) return { outcome: { ...stamp, is: "packed", bytes: known, isKept: true }, bytes: known };
  const outcome = await describeRead(read);
  if (outcome.is !== "described") return { outcome };
  const bytes = packDescription(outcome.file);
  return { outcome: { ...stamp, is: "packed", bytes, isKept: false }, bytes };
}
