import { type Caller, isDiscreet, neededScope, requireScope } from "../../operations/access.ts";
import type { BackgroundVectors } from "../../operations/background-vectors.ts";
import { call } from "../../operations/call.ts";
import { readInput } from "../../operations/input.ts";
import type { Operation } from "../../operations/operation.ts";
import type { PerformOptions } from "../../operations/serving.ts";
import { inputFor } from "./inputs.ts";
import type { Metrics } from "./metrics.ts";
import type { Service, Settings } from "./settings.ts";
import type { Work } from "./work.ts";

export type Parts = {
  workspace: Service["workspace"];
  settings: Settings;
  metrics: Metrics;
  work: Work;
  /** Makes vectors of what is new between requests. */
  background?: BackgroundVectors;
};

type Input = Record<string, unknown>;

export type Performer = {
  /** What an operation is called with; throws for a wrong input, and where the caller may not. */
  admit(caller: Caller, operation: Operation, given: Input, nameOf?: PerformOptions["nameOf"]): Input;
  /** Runs it with what was admitted. */
  perform(caller: Caller, operation: Operation, admitted: Input, how: PerformOptions): Promise<unknown>;
};

/** How every operation is run from afar, whatever surface it is asked through. */
export function performer({ workspace, settings, metrics, work, background }: Parts): Performer {
  const asOwner = ownerViews(workspace, work);
  return {
    admit(caller, operation, given, nameOf) {
      const input = inputFor(operation, given, workspace.root);
      requireScope(caller, neededScope(operation, readInput(operation, input, nameOf)), operation.name);
      return input;
    },
    perform(caller, operation, input, { signal, progress, session, nameOf }) {
      const run = async (stop: AbortSignal) => {
        const { owner } = caller;
        const asked = background?.asking();
        const began = performance.now();
        try {
          const options = { owner, workspace: asOwner(owner), signal: stop, progress, session, nameOf };
          const changed = background && ((opened: Service["workspace"]) => background.changed(opened));
          const { output } = await call(operation, input, { ...options, changed, discreet: isDiscreet(caller) });
          metrics.assembled(operation.name, output, performance.now() - began);
          return output;
        } finally {
          asked?.();
        }
      };
      return work.run(signal, run, progress ? {} : { seconds: settings.timeout });
    },
  };
}

/**
 * The one workspace as each owner sees it: the same stores, asked with another name. Made on top of the workspace, not copied from it: its
 * index may be opened anew. That waits for whoever still asks the old one; what was found out about that one is found out again.
 */
function ownerViews(workspace: Service["workspace"], work: Work): (owner: string) => Service["workspace"] {
  const known = new Map<string, Service["workspace"]>();
  const rebuild = () =>
    work.alone(async () => {
      await workspace.rebuild();
      known.clear();
    });
  return (owner) => {
    let view = known.get(owner);
    if (!view) {
      const own = { owner: { value: owner, enumerable: true }, rebuild: { value: rebuild, enumerable: true } };
      known.set(owner, (view = Object.create(workspace, own) as typeof workspace));
    }
    return view;
  };
}
