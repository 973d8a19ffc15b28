import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export type CommandRun = { output: string; milliseconds: number; peakMegabytes: number };

/** Runs a command to its end; peak memory is the kernel's own high-water mark, read while it runs. */
export function timeCommand(command: string, args: string[], options: { cwd: string }): Promise<CommandRun> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    let peakMegabytes = 0;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    const watch = setInterval(() => {
      peakMegabytes = Math.max(peakMegabytes, highWater(child.pid));
    }, 20);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(watch);
      const milliseconds = performance.now() - start;
      if (code === 0) resolve({ output, milliseconds, peakMegabytes });
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}`));
    });
  });
}

/** Zero where the kernel does not tell (no /proc) or the process has just ended. */
function highWater(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return 0;
    throw error;
  }
}
