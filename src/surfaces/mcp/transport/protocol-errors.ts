import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** The JSON-RPC error for invalid parameters. */
export function invalid(message: string, data?: Record<string, unknown>): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}
