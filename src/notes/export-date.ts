import { stat } from "node:fs/promises";
import { basename } from "node:path";

/** Tana writes the day of an export into the file name: `K4hTe8I__k@2025-11-30.json`. */
const dayInName = /@(\d{4}-\d{2}-\d{2})(?=\D|$)/;
const day = 24 * 60 * 60 * 1000;

/**
 * When an export was written, milliseconds: the day in its name, or the file's time. A copy has a later time than the
 * original, so the name counts where it says an earlier day. Undefined for a folder or a missing file.
 */
export async function dateOfExport(place: string): Promise<number | undefined> {
  const stats = await stat(place).catch(() => undefined); // A place that is gone has no date to compare with.
  if (!stats?.isFile()) return undefined;
  const dayOfName = Date.parse(`${dayInName.exec(basename(place))?.[1]}T00:00:00Z`);
  // Time zones: somewhere the day ends up to half a day later.
  return Number.isNaN(dayOfName) ? stats.mtimeMs : Math.min(stats.mtimeMs, dayOfName + 1.5 * day);
}
