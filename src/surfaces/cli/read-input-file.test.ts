import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { meansOwnProcess, readAll, readInputFile } from "./read-input-file.ts";

const never = new AbortController().signal;
let folder: string;
let pipe: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dossier-given-"));
  pipe = join(folder, "pipe");
  if (process.platform !== "win32") execFileSync("mkfifo", [pipe]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(process.platform === "win32")("a pipe that is given to a command", () => {
  it("is read to its end, also where its writer comes later", async () => {
    const text = readInputFile(pipe, "pipe", never);
    await pause(120);
    execFileSync("sh", ["-c", 'printf one > "$0"', pipe]);
    expect(await text).toBe("one");
  });

  it("without a writer does not keep the process from being interrupted", async () => {
    const controller = new AbortController();
    const text = readInputFile(pipe, "pipe", controller.signal);
    setTimeout(() => controller.abort(), 50);
    await expect(text).rejects.toThrow(/abort/i);
  });

  it("is for the process that was given it, as are its standard input and its open files", () => {
    expect(meansOwnProcess(pipe)).toBe(true);
    expect(meansOwnProcess("/dev/stdin")).toBe(true);
    expect(meansOwnProcess("/dev/fd/0")).toBe(true);
    expect(meansOwnProcess(join(folder, "nothing"))).toBe(false);
  });
});

describe("a text in UTF-16", () => {
  it("is decoded by its byte order mark, from a file and from standard input", async () => {
    const little = Buffer.from("\ufeffGrüße\n", "utf16le");
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      const file = join(folder, "wide");
      writeFileSync(file, bytes);
      expect(await readInputFile(file, "wide", never)).toBe("Grüße\n");
      expect(await readAll(Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]), never)).toBe("Grüße\n");
    }
  });
});

describe("what is longer than a text may be", () => {
  it("is refused before it fills the memory, whatever it comes from", async () => {
    const file = join(folder, "large");
    writeFileSync(file, "");
    truncateSync(file, 300 * 2 ** 20);
    await expect(readInputFile(file, "large", never)).rejects.toThrow("large has more than 256 MB.");
    const block = Buffer.alloc(2 ** 24);
    const endless = Readable.from(
      (function* () {
        for (;;) yield block;
      })(),
    );
    await expect(readAll(endless, never)).rejects.toThrow("Standard input has more than 256 MB.");
  });
});
