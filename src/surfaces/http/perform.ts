import { type Caller, isDiscreet, neededScope, requireScope } from "../../operations/core/access.ts";
import { call } from "../../operations/core/call.ts";
import { readInput } from "../../operations/core/input.ts";
import type { Operation } from "../../operations/core/operation.ts";
import { ownerViews } from "../../operations/core/owner-views.ts";
import type { PerformOptions } from "../../operations/core/serving.ts";
import type { BackgroundVectors } from "../../operations/index/background-vectors.ts";
import { inputFor } from "./inputs.ts";
import type { Metrics } from "./metrics.ts";
import type { Work } from "./running-work.ts";
import type { HttpSettings, Service } from "./settings.ts";
import type { Workers } from "./workers/workers.ts";

export type PerformerParts = {
  workspace: Service["workspace"];
  settings: HttpSettings;
  metrics: Metrics;
  work: Work;
  /** Makes the missing vectors of new items between requests. */
  background?: BackgroundVectors;
  /** Worker processes for long operations; without them this process does everything. */
  workers?: Workers;
};

/**
 * Seconds for indexing and importing, which take long. A client that follows the progress leaves when it has enough,
 * but no request runs for ever.
 */
const timesWithProgress = 20;

type Input = Record<string, unknown>;

export type Performer = {
  /** The checked input of an operation; throws for a wrong input, and where the caller lacks the right. */
  admit(caller: Caller, operation: Operation, sent: Input, nameOf?: PerformOptions["nameOf"]): Input;
  /** Runs the operation with its checked input. */
  perform(caller: Caller, operation: Operation, admitted: Input, options: PerformOptions): Promise<unknown>;
};

/** Runs operations for remote callers, whatever surface they come through. */
export function performer({ workspace, settings, metrics, work, background, workers }: PerformerParts): Performer {
  // Waits for requests that still use the old index, and discards what is cached about it.
  const rebuild = () =>
    work.alone(async () => {
      await (workers ? workers.without(() => workspace.rebuild()) : workspace.rebuild());
      asOwner.forget();
    });
  const asOwner = ownerViews(workspace, { rebuild });

  /** Runs an operation in this process; the workers index what it writes. */
  async function runHere(
    caller: Caller,
    operation: Operation,
    input: Input,
    performOptions: PerformOptions,
  ): Promise<unknown> {
    const { owner, scope, key } = caller;
    const changed = background && ((changedWorkspace: Service["workspace"]) => background.changed(changedWorkspace));
    const options = {
      ...performOptions,
      ...workers?.indexingFor(owner, performOptions),
      owner,
      keyScope: key === undefined ? undefined : scope,
      workspace: asOwner(owner),
      changed,
    };
    const { output } = await call(operation, input, { ...options, discreet: isDiscreet(caller) });
    return output;
  }

  async function runAnywhere(caller: Caller, operation: Operation, admitted: Input, options: PerformOptions) {
    const { owner } = caller;
    const scope = neededScope(operation, readInput(operation, admitted, options.nameOf));
    if (!(await workers?.takes(operation, scope))) return runHere(caller, operation, admitted, options);
    let input = admitted;
    // Nobody else may have the index open while it is replaced.
    if (operation.name === "index" && input.rebuild === true) {
      await asOwner(owner).rebuild();
      input = { ...input, rebuild: false };
    }
    const output = await workers!.run(operation, input, { owner, scope, discreet: isDiscreet(caller) }, options);
    if (scope === "write") workers!.indexing.written(owner);
    return output;
  }

  return {
    admit(caller, operation, sent, nameOf) {
      const input = inputFor(operation, sent, workspace.root);
      requireScope(caller, neededScope(operation, readInput(operation, input, nameOf)), operation.name);
      return input;
    },
    perform(caller, operation, input, { signal, progress, session, nameOf }) {
      const run = async (stop: AbortSignal) => {
        const endAsking = background?.asking();
        const began = performance.now();
        try {
          const output = await runAnywhere(caller, operation, input, { signal: stop, progress, session, nameOf });
          metrics.assembled(operation.name, output, performance.now() - began);
          return output;
        } finally {
          endAsking?.();
        }
      };
      const seconds = settings.timeout * (progress ? timesWithProgress : 1);
      return work.run(signal, run, { owner: caller.owner, seconds });
    },
  };
}
