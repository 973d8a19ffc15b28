import { isIP } from "node:net";
import { DossierError } from "../../errors.ts";
import { isLoopback } from "../../operations/core/serving.ts";
import type { HttpSettings } from "./settings.ts";

const everyAddress = new Set(["0.0.0.0", "::"]);

/**
 * DNS rebinding: a foreign page can resolve its own name to this machine, and its requests then come from inside, but
 * carry that name in the Host header. So only known names are served. A numeric address cannot be such a name, so a
 * server that listens on all addresses accepts any of them.
 */
export function checkHost(header: string | undefined, { host, allowHost }: HttpSettings): void {
  const name = nameOf(header ?? "");
  if (name !== undefined) {
    if (isLoopback(name) || name === nameOf(host) || name === host.toLowerCase()) return;
    if (allowHost.some((allowed) => nameOf(allowed) === name)) return;
    if (everyAddress.has(host) && isIP(name.replace(/^\[|\]$/g, "")) !== 0) return;
  }
  throw new DossierError("wrong-host", `This server is not called ${JSON.stringify((header ?? "").slice(0, 100))}.`);
}

/** Without port and final dot, in small letters. */
function nameOf(header: string): string | undefined {
  const parts = /^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+?)\.?(?::\d{1,5})?$/i.exec(header.trim());
  return parts?.[1]?.toLowerCase();
}

/** The origin to answer with CORS headers, or undefined where none are needed; throws for a page that may not ask. */
export function checkOrigin(
  origin: string | undefined,
  host: string | undefined,
  { allowOrigin }: HttpSettings,
): string | undefined {
  if (origin === undefined) return undefined;
  if (allowOrigin.some((allowed) => allowed.replace(/\/+$/, "").toLowerCase() === origin.toLowerCase())) return origin;
  // Our own page of the API; a proxy in front may speak https, so only the host is compared.
  const originHost = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1];
  if (originHost !== undefined && host !== undefined && originHost.toLowerCase() === host.toLowerCase())
    return undefined;
  throw new DossierError("wrong-origin", `Pages of ${JSON.stringify(origin.slice(0, 100))} may not ask this server.`);
}
