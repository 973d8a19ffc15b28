/**
 * Measures one kind of indexing in a process of its own, with the built library: `indexing.mjs <folder> <context
 * types>`. The first question brings its sources up to date; the time of the answer itself is subtracted. Prints the
 * milliseconds, the peak resident memory of the process, and its memory before.
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
