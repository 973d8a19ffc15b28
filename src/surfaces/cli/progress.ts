import type { Progress } from "../../operations/core/operation.ts";
import { duration, grouped } from "../../operations/terminal/phrases.ts";

/**
 * One redrawn line on a terminal. In a pipe nothing is drawn, but the reports of a watcher are printed as plain lines.
 */
export type ProgressLine = { report(progress: Progress): void; clear(): void };

type Screen = { write(text: string): unknown; isTTY?: boolean; columns?: number };

/** Redrawing more often than this costs time and cannot be read. */
const millisecondsBetweenDraws = 100;
const barWidth = 24;
/** Stages that last until they are interrupted: their reports are useful in a log, too. */
const lasting = new Set(["watching", "serving"]);

export function progressLine(screen: Screen, quiet: boolean, now: () => number = Date.now): ProgressLine {
  let stage = "";
  let started = 0;
  let startedAt = 0;
  let lastDraw = Number.NEGATIVE_INFINITY;
  let visible = false;
  const clear = () => {
    if (visible) screen.write("\r\u001b[K");
    visible = false;
  };
  return {
    clear,
    report(progress) {
      if (quiet) return;
      if (lasting.has(progress.stage)) {
        clear();
        screen.write(`${progress.detail ?? progress.stage}\n`);
        return;
      }
      if (!screen.isTTY) return;
      const time = now();
      if (progress.stage !== stage) {
        stage = progress.stage;
        started = time;
        startedAt = progress.done;
      } else if (time - lastDraw < millisecondsBetweenDraws) {
        return;
      }
      lastDraw = time;
      const rate = time > started ? ((progress.done - startedAt) * 1000) / (time - started) : 0;
      // One column stays free: a full line would wrap on some terminals and could not be redrawn.
      screen.write(`\r\u001b[K${line(progress, rate, Math.max(8, (screen.columns || 80) - 1))}`);
      visible = true;
    },
  };
}

/** The parts that fit the width, most important first: stage, percent, bar, counts, rate, remaining time. */
export function line(progress: Progress, rate: number, width: number): string {
  const { stage, done, total, detail } = progress;
  const parts: string[] = [];
  if (total !== undefined && total > 0) {
    const share = Math.min(1, done / total);
    const filled = Math.round(share * barWidth);
    parts.push(`${String(Math.floor(share * 100)).padStart(3)}%`);
    parts.push(`${"█".repeat(filled)}${"░".repeat(barWidth - filled)}`);
    parts.push(`${grouped(done)}/${grouped(total)}`);
  } else if (done > 0) {
    parts.push(grouped(done));
  }
  if (rate >= 1 && done > 0) parts.push(`${grouped(Math.round(rate))}/s`);
  if (rate > 0 && total !== undefined && total > done) parts.push(`${duration(((total - done) / rate) * 1000)} left`);
  if (detail) parts.push(detail);
  let text = stage.slice(0, width);
  for (const part of parts) {
    if (text.length + 1 + part.length <= width) text += ` ${part}`;
  }
  return text;
}
