/** Every failure a user can cause or meet, with its exit status, HTTP status and what to do about it. */

type Entry = { exit: number; http: number; fix: string };

export const errorCodes = {
  "bad-input": { exit: 2, http: 400, fix: "Run the command with --help to see what it takes." },
  "bad-cursor": {
    exit: 2,
    http: 400,
    fix: "Pass the next of the page before, and all else as it was asked then; or leave it out to begin anew.",
  },
  "empty-query": {
    exit: 2,
    http: 400,
    fix: 'Give a question or a name, for example: dossier "how are users logged in?"',
  },
  "budget-too-small": { exit: 2, http: 400, fix: "Raise --max-tokens." },
  "too-long": { exit: 2, http: 413, fix: "Shorten the text, or split it." },
  "looks-secret": {
    exit: 2,
    http: 422,
    fix: "Leave the secret out; or pass --force to keep it, and results will show a placeholder in its place.",
  },
  "does-not-fit": {
    exit: 2,
    http: 422,
    fix: "Say what the cluster's experiences have in common; dossier value propose shows a text that fits.",
  },
  conflict: { exit: 9, http: 409, fix: "Finish, move or rename what is in the way, or name one thing by its id." },
  "changed-meanwhile": {
    exit: 9,
    http: 412,
    fix: "Read it again, and make your change in what is stored now.",
  },
  "already-resolved": {
    exit: 9,
    http: 409,
    fix: "Begin another one, write a note, or add what it lacks with dossier experience amend.",
  },
  "no-active-experience": { exit: 9, http: 409, fix: "Begin one with dossier experience start." },
  "invalid-context-type": {
    exit: 2,
    http: 400,
    fix: "Use memories, code, experiences, values or commits.",
  },
  "bad-config": { exit: 2, http: 422, fix: "Correct the file, or put an earlier version of it back." },
  "unknown-lens": { exit: 2, http: 400, fix: "Run dossier lens list to see what each of them does." },
  "unknown-workspace": { exit: 3, http: 404, fix: "Run dossier workspace list for the names that are known." },
  "already-exists": { exit: 9, http: 409, fix: "Choose another name, or remove what is there first." },
  "unknown-command": { exit: 2, http: 404, fix: "Run dossier --help for the list of commands." },
  "not-found": { exit: 3, http: 404, fix: "Check the path or id." },
  "not-a-folder": { exit: 3, http: 404, fix: "Give the path of an existing folder." },
  "refused-root": {
    exit: 4,
    http: 403,
    fix: "Choose a project folder, or run dossier index --force there if you mean it.",
  },
  "outside-root": { exit: 4, http: 403, fix: "Use a path inside the workspace." },
  "not-readable": { exit: 4, http: 403, fix: "Check the permissions of the file or folder." },
  "not-indexed": { exit: 5, http: 409, fix: "Run dossier index first." },
  "store-newer": {
    exit: 6,
    http: 500,
    fix: "Update Dossier; or run dossier index --rebuild if it is the index that is newer.",
  },
  "store-damaged": {
    exit: 6,
    http: 500,
    fix: "Run dossier index --rebuild to build the index anew; your files are untouched.",
  },
  "records-damaged": {
    exit: 6,
    http: 500,
    fix: "Put the file back from a backup; or move it away, begin anew and dossier memory import your last export. The index cannot replace it.",
  },
  "records-newer": { exit: 6, http: 500, fix: "Update Dossier to read them; they are left as they are." },
  "store-locked": { exit: 6, http: 503, fix: "Another process is writing the index. Wait a moment and try again." },
  "bad-database-url": {
    exit: 2,
    http: 500,
    fix: "Give DATABASE_URL as postgres://user:password@host:5432/database, with ?schema=… and ?sslmode=… where they are needed.",
  },
  "database-unreachable": {
    exit: 10,
    http: 503,
    fix: "Check that the database server runs and that DATABASE_URL names its host and port; nothing was half-written.",
  },
  "database-refused": {
    exit: 4,
    http: 500,
    fix: "Check the user, the password and the database in DATABASE_URL; the role needs CREATE on the database or a schema of its own.",
  },
  "database-not-ours": {
    exit: 4,
    http: 500,
    fix: "Run dossier store init DATABASE_URL to keep everything in a schema of its own there; or set DOSSIER_DATABASE_URL to another database, or to files.",
  },
  "database-too-old": { exit: 6, http: 500, fix: "Use PostgreSQL 16 or newer with pgvector 0.8 or newer." },
  "extension-missing": {
    exit: 6,
    http: 500,
    fix: "Install the extension on the server (Debian: apt-get install postgresql-17-pgvector) and have a superuser run CREATE EXTENSION in the database.",
  },
  "database-busy": {
    exit: 11,
    http: 503,
    fix: "Try again in a moment; or allow more connections (?pool=… in DATABASE_URL, max_connections on the server).",
  },
  "database-timeout": {
    exit: 11,
    http: 504,
    fix: "Try again; if it happens again, look at the server's load and the network, or raise ?statement_timeout=… in DATABASE_URL.",
  },
  "disk-full": { exit: 7, http: 507, fix: "Free some disk space and try again; the index is as it was before." },
  "git-failed": { exit: 8, http: 500, fix: "Check that git works in this folder (git status)." },
  "bare-repository": { exit: 8, http: 400, fix: "Clone the repository or add a work tree, and index that." },
  "embedder-mismatch": { exit: 6, http: 409, fix: "Run dossier index --rebuild to embed the workspace anew." },
  "command-not-found": { exit: 127, http: 400, fix: "Check its spelling and the PATH." },
  "command-not-executable": { exit: 126, http: 400, fix: "Check its permissions, or name the program that runs it." },
  "live-unavailable": {
    exit: 10,
    http: 502,
    fix: "Start Tana Desktop and turn on its Local API; or pass --offline to answer from local data.",
  },
  "live-refused": {
    exit: 10,
    http: 502,
    fix: "Make a personal access token in Tana's settings and put it into the variable that the config file names.",
  },
  "model-unavailable": {
    exit: 10,
    http: 502,
    fix: "Check that the model's server runs and its address is right, and try again; until then the built-in vectors answer.",
  },
  "model-refused": {
    exit: 10,
    http: 502,
    fix: "Put a valid key into the variable that the model's settings name.",
  },
  "model-damaged": {
    exit: 6,
    http: 422,
    fix: "Give a folder with tokenizer.json and model.safetensors, model.onnx or model_quantized.onnx, as the model's makers publish it.",
  },
  "runtime-missing": {
    exit: 6,
    http: 500,
    fix: "Run npm install --ignore-scripts onnxruntime-node in the folder where Dossier is installed (with -g where it is installed globally).",
  },
  "no-key": { exit: 4, http: 401, fix: "Send a key as Authorization: Bearer …; dossier key create makes one." },
  "not-allowed": { exit: 4, http: 403, fix: "Use a key of a larger scope; dossier key create makes one." },
  "wrong-host": { exit: 4, http: 421, fix: "Use a name the server knows, or start it with --allow-host." },
  "wrong-origin": { exit: 4, http: 403, fix: "Start the server with --allow-origin to let this page ask." },
  "unknown-route": { exit: 3, http: 404, fix: "GET /openapi.json lists every route." },
  "wrong-method": { exit: 2, http: 405, fix: "Use the method that the header Allow names." },
  "wrong-content-type": { exit: 2, http: 415, fix: "Send JSON, with Content-Type: application/json." },
  "too-large": { exit: 2, http: 413, fix: "Send less, or start the server with a larger --max-body." },
  "too-many-requests": { exit: 11, http: 429, fix: "Wait as many seconds as the header Retry-After says." },
  "server-busy": { exit: 11, http: 503, fix: "Try again in a moment." },
  "timed-out": {
    exit: 11,
    http: 504,
    fix: "Ask for less; long work may take longer when it is asked for with Accept: text/event-stream.",
  },
  "worker-crashed": {
    exit: 11,
    http: 500,
    fix: "Try again; the server's log says why the process ended.",
  },
  "program-replaced": {
    exit: 11,
    http: 500,
    fix: "Start the process that answers again: the server, or the agent's client.",
  },
  "port-taken": { exit: 11, http: 500, fix: "Choose another --port, or 0 for any that is free." },
  interrupted: { exit: 130, http: 499, fix: "What was indexed so far is kept; run the command again to go on." },
  internal: { exit: 70, http: 500, fix: "Run again with --debug and report the output." },
} satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * Most characters of a message at its beginning and at its end: it may quote what a caller sent, at any length, and an
 * agent pays for it.
 */
const longestMessage = { head: 1200, tail: 600 };

function shortened(message: string): string {
  const { head, tail } = longestMessage;
  if (message.length <= head + tail) return message;
  // A surrogate pair is not split.
  const [beginning, end] = [message.slice(0, head), message.slice(-tail)];
  return `${beginning.replace(/[\ud800-\udbff]$/, "")} … ${end.replace(/^[\udc00-\udfff]/, "")}`;
}

/** The only error Dossier throws on purpose: a code, and a sentence that names the thing that is wrong. */
export class DossierError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(shortened(message), options);
    this.name = "DossierError";
    this.code = code;
  }
  get exit(): number {
    return errorCodes[this.code].exit;
  }
  get http(): number {
    return errorCodes[this.code].http;
  }
  get fix(): string {
    return errorCodes[this.code].fix;
  }
}

/** Records that cannot be read, while all else can: a question is answered without them. */
const unreadCodes: readonly ErrorCode[] = ["records-damaged", "records-newer"];

/** The sentence for a reader whose answer lacks records that cannot be read; undefined for any other failure. */
export function unreadWarning(error: unknown): string | undefined {
  if (!(error instanceof DossierError) || !unreadCodes.includes(error.code)) return undefined;
  return unreadSentence(error);
}

export function unreadSentence({ message, fix }: DossierError): string {
  return `Not all that was written down can be read: ${message} ${fix}`;
}

/** Whether a warning says that records are lost: whoever keeps them has to hear of it. */
export function isAboutLostRecords(warning: string): boolean {
  return unreadCodes.some((code) => warning.endsWith(errorCodes[code].fix));
}

/** The one failure of a briefing that its callers are known to catch by name. */
export class InvalidContextTypeError extends DossierError {
  constructor(message: string) {
    super("invalid-context-type", message);
    this.name = "InvalidContextTypeError";
  }
}

/** Any thrown value as a DossierError, so that surfaces have one shape to print. */
export function asDossierError(thrown: unknown): DossierError {
  if (thrown instanceof DossierError) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (error.name === "AbortError") return new DossierError("interrupted", "Interrupted.", { cause: error });
  if (code === "ENOSPC" || /database or disk is full/i.test(error.message)) {
    return new DossierError("disk-full", "The disk is full.", { cause: error });
  }
  if (["EACCES", "EPERM", "EROFS", "ENOTDIR", "ELOOP", "ENAMETOOLONG"].includes(code)) {
    return new DossierError("not-readable", error.message, { cause: error });
  }
  if (code === "ERR_INVALID_ARG_VALUE" && /without null bytes/.test(error.message)) {
    return new DossierError("bad-input", "No path or name on this machine holds a NUL character.", { cause: error });
  }
  if (isPartMissing(code, error.message)) {
    const sentence =
      "Dossier was updated or removed while this process ran, which needs a part of what it was started from.";
    return new DossierError("program-replaced", sentence, { cause: error });
  }
  return new DossierError("internal", error.message, { cause: error });
}

/**
 * Files of the program are loaded when they are needed: if a server was updated in place, some of them are gone. A
 * package that is missing is another failure.
 */
function isPartMissing(code: string, message: string): boolean {
  return (
    ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(code) && /^Cannot find module '(?:\/|\w:|file:)/.test(message)
  );
}

export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new DossierError("interrupted", "Interrupted.", { cause: signal.reason });
}
