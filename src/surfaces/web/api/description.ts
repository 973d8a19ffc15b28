import { describeService, type InputDescription } from "../../../client/client.ts";
import { useRequest } from "./request.ts";
import { clientOptions } from "./session.ts";

let known: Record<string, InputDescription> | undefined;

/** The inputs of an operation as the service publishes them; undefined until it has answered. */
export function useInputs(operation: string): InputDescription | undefined {
  const { result } = useRequest(known ? undefined : "description", async (_, signal) => {
    known = (await describeService(clientOptions(), signal)).inputs;
    return known;
  });
  return (known ?? result)?.[operation];
}
