import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** What is wrong with a request itself. */
export function invalid(message: string, data?: Record<string, unknown>): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}
