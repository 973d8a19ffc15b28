import type { FileEdit, SessionEvent } from "./session-events.ts";

export type Fields = Record<string, unknown>;

/** Most characters that are kept of a command's output; its result is at the end. */
const longestOutput = 20_000;
const longestEdit = 20_000;
/** Calls that may still get a result. */
const mostPending = 200;

/**
 * Calls of tools and their results, which are on separate lines. Only commands that ended and edits that were made
 * become events: a call that was refused, interrupted or sent to the background has no known result.
 */
export class ToolCalls {
  #pending = new Map<string, SessionEvent[]>();
  #folders: string[] = [];

  /** The folder of a line. The first one is the project's; a shell may move on from it. */
  folderIs(folder: unknown): void {
    if (typeof folder !== "string" || folder === "" || this.#folders.includes(folder)) return;
    this.#folders = [...this.#folders.slice(0, 1), folder];
  }

  /** The events of a result; a call has none yet. */
  read(block: Fields, line: Fields): SessionEvent[] {
    if (block.type === "tool_use") this.#call(block.id, block.name, objectOf(block.input));
    if (block.type === "function_call") this.#call(block.call_id, block.name, objectOf(fromJson(block.arguments)));
    if (block.type === "custom_tool_call") this.#call(block.call_id, block.name, { patch: block.input });
    if (block.type === "tool_result") return this.#result(block.tool_use_id, claudeResult(block, line.toolUseResult));
    if (block.type === "function_call_output" || block.type === "custom_tool_call_output")
      return this.#result(block.call_id, codexResult(block.output));
    return [];
  }

  #call(id: unknown, name: unknown, input: Fields): void {
    if (typeof id !== "string" || typeof name !== "string" || input.run_in_background === true) return;
    const events = this.#eventsOf(name, input);
    if (events.length === 0) return;
    this.#pending.set(id, events);
    const [oldest] = this.#pending.keys();
    if (this.#pending.size > mostPending) this.#pending.delete(oldest!);
  }

  #eventsOf(name: string, input: Fields): SessionEvent[] {
    const patch = patchOf(input);
    if (patch !== undefined) return patchedFiles(patch).flatMap((change) => this.#ofProject(change));
    if (/^(?:bash|shell|shell_command|exec_command|run_shell_command|local_shell)$/i.test(name)) {
      const command = commandOf(input);
      return command === "" ? [] : [{ kind: "ran", command, status: 0, output: "" }];
    }
    const path = text(input.file_path ?? input.notebook_path);
    const edits = Array.isArray(input.edits) ? input.edits.map(objectOf) : [input];
    if (/^(?:edit|multiedit|replace)$/i.test(name))
      return edits.flatMap((edit) =>
        this.#ofProject({ path, before: text(edit.old_string), after: text(edit.new_string) }),
      );
    if (/^(?:write|write_file)$/i.test(name)) return this.#ofProject({ path, before: "", after: text(input.content) });
    return readingTools.test(name) ? [] : [{ kind: "called", tool: name }];
  }

  /** Paths inside the project, relative to it. Files elsewhere are ignored. */
  #ofProject({ path, before, after }: Omit<FileEdit, "kind">): FileEdit[] {
    const folder = this.#folders.find((each) => path.startsWith(`${each}/`));
    const inside = folder === undefined ? path : path.slice(folder.length + 1);
    if (inside === "" || /^(?:[/~\\]|[a-z]:|\.\.)/i.test(inside)) return [];
    return [
      { kind: "changed", path: inside, before: before.slice(0, longestEdit), after: after.slice(0, longestEdit) },
    ];
  }

  #result(id: unknown, result: Result | undefined): SessionEvent[] {
    const events = (typeof id === "string" && this.#pending.get(id)) || [];
    if (events.length > 0) this.#pending.delete(id as string);
    if (result === undefined) return [];
    return events.flatMap((event): SessionEvent[] => {
      if (event.kind !== "ran") return result.status === 0 ? [event] : [];
      return [{ ...event, status: result.status, output: result.output.slice(-longestOutput) }];
    });
  }
}

const readingTools =
  /^(?:read|grep|glob|ls|todowrite|webfetch|websearch|bashoutput|toolsearch|askuserquestion|exitplanmode|update_plan|view_image)$/i;

type Result = { status: number; output: string };

const exitLine = /^(?:Error: )?Exit code:? (\d+)\n?/;
/** Ended from outside: interrupted, killed, terminated. */
const killed = [124, 130, 137, 143];

function claudeResult(block: Fields, more: unknown): Result | undefined {
  const output = textOf(block.content);
  const { interrupted, backgroundTaskId } = objectOf(more);
  if (interrupted === true || backgroundTaskId !== undefined) return undefined;
  if (block.is_error !== true) return { status: 0, output };
  // A failure without a status: the call was refused, or the tool itself failed.
  return withStatus(output);
}

function codexResult(value: unknown): Result | undefined {
  const answer = objectOf(fromJson(value));
  const { exit_code: status } = objectOf(answer.metadata);
  if (typeof status === "number") return killed.includes(status) ? undefined : { status, output: text(answer.output) };
  const told = textOf(value);
  // An applied patch is reported without a status.
  if (/^Success\b/.test(told)) return { status: 0, output: told };
  const output = told.replace(/^Process exited with code /m, "Exit code ");
  const result = withStatus(output.slice(Math.max(0, output.search(/^Exit code/m))));
  // The command and its duration come first.
  return result && { ...result, output: result.output.replace(/^(?:.*\n){0,5}?Output:\n/, "") };
}

function withStatus(output: string): Result | undefined {
  const status = Number(exitLine.exec(output)?.[1] ?? Number.NaN);
  if (Number.isNaN(status) || killed.includes(status)) return undefined;
  return { status, output: output.replace(exitLine, "") };
}

function commandOf({ command, cmd }: Fields): string {
  const value = command ?? cmd;
  // `["bash", "-lc", "npm test"]`
  if (Array.isArray(value)) return text(value.at(-1)).slice(0, longestEdit);
  return text(value).slice(0, longestEdit);
}

/** A patch: the call's input itself, or a patch command for a shell. */
function patchOf({ patch, command }: Fields): string | undefined {
  const value = Array.isArray(command) && command[0] === "apply_patch" ? command[1] : patch;
  return typeof value === "string" && value.startsWith("*** Begin Patch") ? value : undefined;
}

function patchedFiles(patch: string): Omit<FileEdit, "kind">[] {
  return patch
    .slice(0, longestEdit)
    .split(/^(?=\*\*\* (?:Update|Add|Delete) File: )/m)
    .slice(1)
    .map((part) => {
      const [heading, ...lines] = part.split("\n");
      const marked = (mark: string) =>
        lines
          .filter((line) => line.startsWith(mark) && !line.startsWith("***"))
          .map((line) => line.slice(1))
          .join("\n");
      return { path: heading!.replace(/^\*\*\* \w+ File: /, "").trim(), before: marked("-"), after: marked("+") };
    });
}

/** The text, or the text blocks. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map(objectOf)
    .filter(({ type }) => type === undefined || type === "text" || type === "input_text" || type === "output_text")
    .map(({ text: each }) => text(each))
    .join("\n");
}

export function objectOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function fromJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*\{/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
