import type { DossierError } from "../../errors.ts";
import type { Display, Terminal } from "./terminal.ts";
import { write } from "./terminal.ts";

/** One sentence that says what is wrong and one that says what to do; the stack trace only for --debug. */
export async function printError(error: DossierError, terminal: Terminal, display: Display): Promise<void> {
  const fix = error.fix;
  if (display.json) {
    const report = { error: { code: error.code, message: error.message, fix } };
    await write(terminal.stdout, `${JSON.stringify(report, null, 2)}\n`);
  }
  const label = display.errorColour ? "\u001b[31merror:\u001b[39m" : "error:";
  await write(terminal.stderr, `${label} ${asSentence(error.message)} ${fix}\n`);
  if (display.debug) await write(terminal.stderr, `${traces(error).join("\ncaused by ")}\n`);
}

function traces(error: unknown): string[] {
  const own = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? [own] : [own, ...traces(cause)];
}

/** Messages of the system and of git may span lines and lack a full stop; control characters would steer the terminal. */
function asSentence(message: string): string {
  const text = message.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
