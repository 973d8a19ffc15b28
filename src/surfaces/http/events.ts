import type { Progress } from "../../operations/core/operation.ts";

/** Milliseconds between two progress events: more than that nobody reads. */
const millisecondsBetween = 100;
/** Milliseconds between two comment lines: proxies close a connection that is silent for a minute or less. */
const millisecondsOfSilence = 15_000;

type Events = (name: "progress" | "result" | "error", data: unknown) => void;

/**
 * Long work as server-sent events: `progress` while it runs, and finally either `result` or `error`. `work` never
 * throws: it sends its own failure, since the status line was sent before it began.
 */
export function eventStream(work: (send: Events) => Promise<void>): Response {
  const encoder = new TextEncoder();
  let silence: NodeJS.Timeout;
  let open = true;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (text: string) => {
        if (open) controller.enqueue(encoder.encode(text));
      };
      // A comment line, so that the headers of the answer are sent at once.
      write(": begin\n\n");
      silence = setInterval(() => write(": still at work\n\n"), millisecondsOfSilence);
      await work((name, data) => {
        // A slow reader loses progress events, but never the result.
        if (name === "progress" && (controller.desiredSize ?? 0) < -64) return;
        write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      });
      clearInterval(silence);
      if (open) controller.close();
      open = false;
    },
    cancel() {
      open = false;
      clearInterval(silence);
    },
  });
  const headers = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };
  return new Response(body, { headers });
}

/** Passes on the first report of each stage, and then one in each interval. */
export function throttled(
  report: (progress: Progress) => void,
  now = () => performance.now(),
): (progress: Progress) => void {
  let stage: string | undefined;
  let last = 0;
  return (progress) => {
    const time = now();
    const isLast = progress.total !== undefined && progress.done >= progress.total;
    if (progress.stage === stage && !isLast && time - last < millisecondsBetween) return;
    stage = progress.stage;
    last = time;
    report(progress);
  };
}
