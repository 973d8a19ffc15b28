import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";

/** Runs the work and writes what the processor did meanwhile to a .cpuprofile; without a file it only runs the work. */
export async function profiled<T>(file: string | undefined, work: () => Promise<T>): Promise<T> {
  if (file === undefined) return work();
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.start");
  try {
    return await work();
  } finally {
    session.post("Profiler.stop", (error, result) => {
      if (error) throw error;
      writeFileSync(file, JSON.stringify(result.profile));
    });
    session.disconnect();
  }
}
