import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Milliseconds without a call after which unused memory is returned. */
const quiet = 3_000;

/** Watches calls; when none has come for a while, returns unused memory to the system: an agent thinks longer than it asks. */
export function giveBackWhenIdle(): { began(): void; ended(): void /** Without waiting. */; now(): void } {
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  // The first collection finds what is unused, the second one returns its pages.
  const twice = () => {
    collect();
    timer = setTimeout(collect, quiet).unref();
  };
  return {
    now: twice,
    began() {
      running++;
      clearTimeout(timer);
    },
    ended() {
      running--;
      if (running > 0) return;
      clearTimeout(timer);
      timer = setTimeout(twice, quiet).unref();
    },
  };
}

let collector: (() => void) | undefined;

/** V8 collects when it needs room, which an idle process never does. */
function collect(): void {
  if (!collector) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("gc") as () => void;
  }
  collector();
}
