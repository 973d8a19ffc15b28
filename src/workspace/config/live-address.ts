import { DossierError } from "../../errors.ts";

/**
 * The address of the Local API without a trailing slash. A token is sent to this address, and the config file that
 * names it comes with the workspace, from an unknown author. So a host other than this machine is refused, and no
 * setting allows one.
 */
export function liveAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    throw new DossierError(
      "bad-input",
      `The Local API's address ${printable(url)} is not one: http://127.0.0.1:8262 is usual.`,
    );
  }
  if (parsed.username !== "" || parsed.password !== "" || parsed.search !== "" || parsed.hash !== "") {
    throw new DossierError("bad-input", `The Local API's address may be a host, a port and a path only.`);
  }
  if (!isLoopback(parsed.hostname)) {
    throw new DossierError(
      "bad-input",
      `The Local API's address ${printable(url)} is not on this machine, and the token would leave it: use 127.0.0.1 or localhost.`,
    );
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`;
}

/** `URL` has already normalised every notation of an address (`127.1`, `0x7f.1`, `2130706433`). */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

/**
 * An address for an error message. Text that is no address may be anything, a pasted token included, so it is not
 * printed.
 */
function printable(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : "";
  return host === "" ? "in the config file" : host;
}
