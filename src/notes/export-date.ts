import { stat } from "node:fs/promises";
import { basename } from "node:path";

/** Tana puts the day of an export into the name of its file: `K4hTe8I__k@2025-11-30.json`. */
const dayInName = /@(\d{4}-\d{2}-\d{2})(?=\D|$)/;
const day = 24 * 60 * 60 * 1000;

/**
 * When an export was written, milliseconds: the day that its name says, or the time of the file. A copy has a later time than what it is a
 * copy of, so the name counts where it says an earlier day. Undefined of what is no single file, or not there.
 */
export async function dateOfExport(place: string): Promise<number | undefined> {
  const found = await stat(place).catch(() => undefined); // gone: there is nothing to compare with
  if (!found?.isFile()) return undefined;
  const named = Date.parse(`${dayInName.exec(basename(place))?.[1]}T00:00:00Z`);
  // Somewhere on earth the day ends half a day later.
  return Number.isNaN(named) ? found.mtimeMs : Math.min(found.mtimeMs, named + 1.5 * day);
}
