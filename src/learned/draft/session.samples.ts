/** Logs of sessions as Claude Code and Codex write them, made from short steps. */
export type SampleStep =
  | { user: string }
  | { says: string }
  | { runs: string; output?: string; exit?: number; refused?: true; background?: true }
  | { edits: string; from: string; to: string; refused?: true }
  | { writes: string; content: string }
  | { calls: string; input: object }
  | { meta: object };

const project = "/home/ann/harbour";

export const user = (text: string): SampleStep => ({ user: text });
export const says = (text: string): SampleStep => ({ says: text });
export const runs = (command: string, output = "", exit = 0): SampleStep => ({ runs: command, output, exit });
export const edits = (path: string, from: string, to: string): SampleStep => ({ edits: path, from, to });
export const writes = (path: string, content: string): SampleStep => ({ writes: path, content });

/** Claude Code: each block is a line; results of tools are lines of the user. */
export function claudeLog(...steps: SampleStep[]): string {
  const lines: object[] = [{ type: "file-history-snapshot", messageId: "m0", snapshot: {} }];
  let count = 0;
  const frame = (type: "user" | "assistant", content: unknown, more: object = {}) => ({
    parentUuid: count === 0 ? null : `u${count - 1}`,
    isSidechain: false,
    userType: "external",
    cwd: project,
    sessionId: "5e551042-0000-4000-8000-000000000000",
    version: "2.1.20",
    gitBranch: "main",
    type,
    message: { role: type, ...(type === "assistant" && { id: `msg_${count}`, model: "claude" }), content },
    uuid: `u${count++}`,
    timestamp: `2026-05-04T10:${String(count % 60).padStart(2, "0")}:00.000Z`,
    ...more,
  });
  const tool = (name: string, input: object, content: string, isError: boolean, toolUseResult: unknown) => {
    const id = `toolu_${count}`;
    lines.push(frame("assistant", [{ type: "tool_use", id, name, input }]));
    const result = { tool_use_id: id, type: "tool_result", content, ...(isError && { is_error: true }) };
    lines.push(frame("user", [result], { toolUseResult }));
  };
  const refusal =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
  for (const step of steps) {
    if ("user" in step) lines.push(frame("user", step.user));
    else if ("says" in step) lines.push(frame("assistant", [{ type: "text", text: step.says }]));
    else if ("meta" in step) lines.push(step.meta);
    else if ("calls" in step) tool(step.calls, step.input, "Done.", false, { status: "completed" });
    else if ("runs" in step) {
      const { runs: command, output = "", exit = 0, refused, background } = step;
      const input = { command, description: "Run it", ...(background && { run_in_background: true }) };
      if (refused) tool("Bash", input, refusal, true, "User rejected tool use");
      else if (background)
        tool("Bash", input, "Command running in background with ID: b1.", false, { backgroundTaskId: "b1" });
      else if (exit !== 0) {
        const text = `Exit code ${exit}\n${output}`;
        tool("Bash", input, text, true, `Error: ${text}`);
      } else tool("Bash", input, output, false, { stdout: output, stderr: "", interrupted: false, isImage: false });
    } else if ("edits" in step) {
      const file = `${project}/${step.edits}`;
      const input = { file_path: file, old_string: step.from, new_string: step.to, replace_all: false };
      if (step.refused) tool("Edit", input, refusal, true, "User rejected tool use");
      else tool("Edit", input, `The file ${file} has been updated.`, false, { filePath: file, structuredPatch: [] });
    } else {
      const file = step.writes.startsWith("/") ? step.writes : `${project}/${step.writes}`;
      tool("Write", { file_path: file, content: step.content }, `File created successfully at: ${file}`, false, {
        type: "create",
        filePath: file,
      });
    }
  }
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

/** Codex: calls and their outputs are items of their own. */
export function codexLog(...steps: SampleStep[]): string {
  const lines: object[] = [{ timestamp: "", type: "session_meta", payload: { id: "c1", cwd: project } }];
  const item = (payload: object) => lines.push({ timestamp: "", type: "response_item", payload });
  for (const [i, step] of steps.entries()) {
    const call_id = `call_${i}`;
    if ("user" in step) item({ type: "message", role: "user", content: [{ type: "input_text", text: step.user }] });
    else if ("says" in step)
      item({ type: "message", role: "assistant", content: [{ type: "output_text", text: step.says }] });
    else if ("runs" in step) {
      const { runs: command, output = "", exit = 0 } = step;
      const shell = JSON.stringify({ command: ["bash", "-lc", command], workdir: project });
      item({ type: "function_call", name: "shell", arguments: shell, call_id });
      const result = JSON.stringify({ output, metadata: { exit_code: exit, duration_seconds: 0.4 } });
      item({ type: "function_call_output", call_id, output: result });
    } else if ("edits" in step) {
      const patch = `*** Begin Patch\n*** Update File: ${step.edits}\n@@\n-${step.from}\n+${step.to}\n*** End Patch\n`;
      item({ type: "custom_tool_call", status: "completed", call_id, name: "apply_patch", input: patch });
      const result = JSON.stringify({ output: "Success.", metadata: { exit_code: 0 } });
      item({ type: "custom_tool_call_output", call_id, output: result });
    }
  }
  return lines.map((line) => JSON.stringify(line)).join("\n");
}
