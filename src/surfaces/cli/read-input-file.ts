import { closeSync, constants, createReadStream, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal, type Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { DossierError } from "../../errors.ts";
import { grouped } from "../../operations/terminal/phrases.ts";
import { decodeText } from "../../text/lines.ts";

/**
 * Most bytes of an input. As a string it takes twice as much, and a longer one fails with Node's own error about string
 * length.
 */
const mostBytes = 256 * 2 ** 20;
/** Milliseconds between two checks whether a pipe has a writer. */
const pauseForWriter = 50;

/** Whether this path means something else, or blocks, in another process: `/dev/stdin`, `<(command)`, a pipe. */
export function meansOwnProcess(path: string): boolean {
  return !isNamed(path) || statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

/**
 * All of a stream as text; fails if interrupted while waiting. `name`: the name in the error for a stream that is too
 * long.
 */
export async function readAll(stream: Readable, signal: AbortSignal, name = "Standard input"): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, stream)) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > mostBytes) throw tooLong(name);
  }
  return decodeText(Buffer.concat(chunks)).text;
}

/** The text of a file, a pipe or a device. */
export async function readInputFile(path: string, name: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    // Opening a named pipe blocks a thread until it has a writer, and a process that has such a thread cannot end.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    if (!stats.isFIFO()) {
      if (!stats.isFile()) return readAll(createReadStream(path, { fd: file }), signal, name);
      try {
        if (stats.size > mostBytes) throw tooLong(name);
        return decodeText(readFileSync(file)).text;
      } finally {
        closeSync(file);
      }
    }
    const text = await readAll(new Socket({ fd: file, readable: true, writable: false }), signal, name);
    // Without a writer a pipe that does not block is at its end.
    if (text !== "" || !isNamed(path)) return text;
    await pause(pauseForWriter, undefined, { signal });
  }
}

/** A pipe of the shell has its writer from the beginning, and may be empty; one in a folder may have to wait for it. */
function isNamed(path: string): boolean {
  return !/^\/(?:dev|proc)\//.test(path);
}

function tooLong(name: string): DossierError {
  const message = `${name} has more than ${grouped(mostBytes / 2 ** 20)} MB.`;
  return new DossierError("too-long", message);
}
