import type { Progress } from "../../../operations/core/operation.ts";

/** Milliseconds between two notifications: more than that nobody reads. */
const millisecondsBetween = 100;

type Notification = { progress: number; total?: number; message: string };

/**
 * Progress of long work for a client. The number must grow all the time, although each stage counts from its beginning.
 * The first report of each stage is sent, then one in each interval.
 */
export function progressReports(
  notify: (notification: Notification) => void,
  now: () => number = () => performance.now(),
): (progress: Progress) => void {
  let stage: string | undefined;
  let before = 0;
  let done = 0;
  let sent = 0;
  let last = 0;
  return (report) => {
    const time = now();
    const isNew = report.stage !== stage;
    if (isNew) before += done;
    stage = report.stage;
    done = isNew ? report.done : Math.max(done, report.done);
    const isLast = report.total !== undefined && report.done >= report.total;
    if (!isNew && !isLast && time - last < millisecondsBetween) return;
    last = time;
    // It must grow with every notification, even if a stage begins with nothing done.
    const progress = Math.max(before + done, sent + 1);
    sent = progress;
    const of = report.total === undefined ? "" : ` of ${report.total}`;
    const message = [report.stage, report.done > 0 || of ? `${report.done}${of}` : "", report.detail ?? ""];
    notify({
      progress,
      ...(report.total !== undefined && { total: Math.max(progress, before + report.total) }),
      message: message.filter((part) => part !== "").join(" "),
    });
  };
}
