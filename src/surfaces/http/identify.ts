import { DossierError } from "../../errors.ts";
import { type Caller, callerOf, localCaller } from "../../operations/core/access.ts";
import { isLoopback } from "../../operations/core/serving.ts";
import { isLocal, type RequestContext, type Route } from "./route.ts";
import type { Service } from "./settings.ts";

const longestSecret = 200;

/**
 * Identifies the caller by the key of the request. As long as the store has no key at all, it is the person at this
 * machine.
 */
export function callerIdentifier(
  keys: Service["keys"],
): (c: RequestContext, route: Route | undefined) => Promise<Caller> {
  // Keys are revoked, never deleted: once there was one, a key is always required.
  let keyed = false;
  return async (c, route) => {
    const header = c.req.header("authorization");
    if (header !== undefined) {
      const secret = /^Bearer +(\S+)$/i.exec(header)?.[1];
      if (secret === undefined || secret.length > longestSecret) {
        throw new DossierError("no-key", "The header Authorization holds no key; it must be: Bearer dsr_…");
      }
      return callerOf(keys, secret, Date.now());
    }
    if (route?.open === "all") return localCaller;
    const isLocalCaller = isLocal(c, isLoopback);
    if (route?.open === "local" && isLocalCaller) return localCaller;
    keyed ||= (await keys.list()).length > 0;
    if (keyed) throw new DossierError("no-key", "This request has no key.");
    if (isLocalCaller) return localCaller;
    throw new DossierError("no-key", "Without a key only programs on this machine are served.");
  };
}
