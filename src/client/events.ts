import type { Progress } from "../operations/core/operation.ts";
import { failureFrom, RequestFailure } from "./failure.ts";

/** Reads the events of an answer up to its result. */
export async function readEvents(response: Response, progress?: (progress: Progress) => void): Promise<unknown> {
  const requestId = response.headers.get("x-request-id") ?? undefined;
  for await (const { name, data } of eventsOf(response)) {
    if (name === "progress") progress?.(JSON.parse(data) as Progress);
    if (name === "result") return JSON.parse(data);
    if (name === "error") throw failureFrom(data, { requestId });
  }
  throw new RequestFailure({
    code: "unreachable",
    message: "The connection ended before the answer came.",
    fix: "Ask again; the server may have been stopped.",
    requestId,
  });
}

type Event = { name: string; data: string };

/** Blocks of lines, each ended by an empty one; the server writes one line of data in each. */
async function* eventsOf(response: Response): AsyncGenerator<Event> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // A long answer comes in many chunks: text that was searched already is not searched again.
      const from = Math.max(0, rest.length - 1);
      rest += decoder.decode(value, { stream: true });
      for (let end = rest.indexOf("\n\n", from); end >= 0; end = rest.indexOf("\n\n")) {
        const block = rest.slice(0, end);
        rest = rest.slice(end + 2);
        const name = /^event: ?(.*)$/m.exec(block)?.[1];
        const data = /^data: ?(.*)$/m.exec(block)?.[1];
        if (name !== undefined && data !== undefined) yield { name, data };
      }
    }
  } finally {
    await reader.cancel();
  }
}
