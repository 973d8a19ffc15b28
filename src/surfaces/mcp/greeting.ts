import { version } from "../../package.ts";
import { instructions } from "./instructions.ts";

/** The server's name, version and capabilities. */

export const serverInfo = { name: "dossier", title: "Dossier", version };

export const capabilities = { tools: {}, resources: {}, prompts: {} };

/** Revisions that begin with `initialize`; newer ones need no greeting. */
const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

/** The answer to `initialize`, for a well-formed greeting of a known revision. */
export function greetingFor(params: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const { protocolVersion, capabilities: abilities, clientInfo, _meta, ...more } = params ?? {};
  const { name, version: clientVersion } = (clientInfo ?? {}) as Record<string, unknown>;
  const isKnown = typeof protocolVersion === "string" && revisions.includes(protocolVersion);
  const isWhole = typeof name === "string" && typeof clientVersion === "string" && isPlain(abilities);
  if (!isKnown || !isWhole || _meta !== undefined || Object.keys(more).length > 0) return undefined;
  return { protocolVersion, capabilities, serverInfo, instructions };
}

/** Capabilities that must be objects; the protocol's package judges all other fields of a client. */
function isPlain(abilities: unknown): boolean {
  if (typeof abilities !== "object" || abilities === null || Array.isArray(abilities)) return false;
  return Object.values(abilities).every((each) => typeof each === "object" && each !== null && !Array.isArray(each));
}
