/**
 * One kind of indexing in a process of its own, by the library as it is shipped: `indexing.mjs <folder> <context types>`.
 * The first question brings what it asks up to date; the time of its answer is taken off. Prints the milliseconds, the kernel's
 * high-water mark of the process, and what the process held before.
 */
import { assembleContext, openWorkspace } from "../../dist/index.js";

const [folder, types] = process.argv.slice(2);
const workspace = await openWorkspace(folder);
const megabytesBefore = process.memoryUsage().rss / 1e6;
const start = performance.now();
const { stats } = await assembleContext(
  { query: "cache", contextTypes: types.split(","), path: folder },
  { workspace },
);
const answer = Object.values(stats.milliseconds).reduce((sum, time) => sum + time, 0);
const milliseconds = performance.now() - start - answer;
// maxRSS is in KiB.
const peakMegabytes = (process.resourceUsage().maxRSS * 1024) / 1e6;
await workspace.close();
console.log(JSON.stringify({ milliseconds, peakMegabytes, megabytesBefore }));
