import type { Client, Output } from "../../../client/client.ts";
import { useRequest } from "./request.ts";
import { session } from "./session.ts";

export type KeyHolder = Output<"whoami">;
type Scope = NonNullable<KeyHolder["keyScope"]>;

const scopes: readonly Scope[] = ["read", "write", "admin"];

/** Many components need it: one request for each key. */
let pending: { round: number; answer: Promise<KeyHolder> } | undefined;

function ask(client: Client): Promise<KeyHolder> {
  const { round } = session.get();
  if (pending?.round !== round) {
    const answer = client.whoami();
    pending = { round, answer };
    answer.catch(() => {
      if (pending?.answer === answer) pending = undefined;
    });
  }
  return pending.answer;
}

/** Whose data the page shows, and what may be done with it; undefined until the service has said so. */
export function useCaller(): KeyHolder | undefined {
  return useRequest("whoami", ask).result;
}

/** Whether what asks for a scope is offered at all: a button that would be refused is not shown. */
export function useMay(scope: Scope): boolean {
  const caller = useCaller();
  // Without a key it is the person at the server's machine, who may do everything.
  return caller !== undefined && scopes.indexOf(caller.keyScope ?? "admin") >= scopes.indexOf(scope);
}
