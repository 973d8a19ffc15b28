import { describeService, type InputDescription } from "../../../client/client.ts";
import { useRequest } from "./request.ts";
import { clientOptions } from "./session.ts";

const cache = new Map<string, InputDescription>();

/** The inputs of an operation as the service publishes them; undefined until it has answered. */
export function useInputs(operation: string): InputDescription | undefined {
  const { result } = useRequest(cache.has(operation) ? undefined : operation, async (_, signal) => {
    const { inputs } = await describeService({ ...clientOptions(), operation }, signal);
    const described = inputs[operation];
    if (described) cache.set(operation, described);
    return described;
  });
  return cache.get(operation) ?? result;
}
