import { getHeapStatistics } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { type DescribeContext, type DescribeJob, describePath } from "./describe.ts";
import type { Reply } from "./pool.ts";

/** The program of one worker thread: describes one file after the other, in the order they come. */

const port = parentPort;
if (!port) throw new Error("This program only runs in a worker thread.");

const ground = workerData as DescribeContext;
let last: Promise<void> = Promise.resolve();

port.on("message", (job: DescribeJob) => {
  last = last.then(async () => {
    const outcome = await describePath(ground, job);
    const heap = getHeapStatistics();
    const reply: Reply = { outcome, memory: heap.total_heap_size + heap.external_memory };
    port.postMessage(reply);
  });
});
port.postMessage("ready");
