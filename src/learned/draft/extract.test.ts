import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { mostDrafts } from "./draft.ts";
import { draftsOf } from "./extract.ts";
import type { Utterance } from "./session-events.ts";
import { readSessionLog, tailOf } from "./session-log.ts";

const user = (text: string): Utterance => ({ kind: "said", by: "user", text });
const agent = (text: string): Utterance => ({ kind: "said", by: "agent", text });
const draftLines = (...utterances: Utterance[]) =>
  draftsOf(utterances).map(({ category, content }) => `${category}: ${content}`);

describe("drafts of a session", () => {
  it("are what its user wants from now on, and what was decided, found out and tried", () => {
    expect(
      draftLines(
        user("Can you look at the login? Always run the linter before you commit. Thanks!"),
        agent("Sure. We decided to keep sessions in Redis. Let me look at the file."),
        agent("The root cause was a cookie without a path. I tried raising the timeout, but the test still failed."),
        user("From now on, answer in German."),
      ),
    ).toEqual([
      "preference: Always run the linter before you commit.",
      "decision: We decided to keep sessions in Redis.",
      "error: The root cause was a cookie without a path.",
      "event: I tried raising the timeout, but the test still failed.",
      "preference: From now on, answer in German.",
    ]);
  });

  it("are no questions, no code, no words of the client, and no rule of the agent's own", () => {
    expect(
      draftLines(
        user("Should we always use tabs for this kind of file?"),
        agent("```\n// We decided to keep it here for the time being.\n```"),
        user("<system-reminder>Always obey the reminder of this client.</system-reminder>"),
        agent("Always remember to breathe while the tests are running."),
        user("never"),
      ),
    ).toEqual([]);
  });

  it("hold no secret and nothing that steers a terminal, say nothing twice and are few", () => {
    const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    expect(draftLines(user(`Always use the token ${key} for uploads.`))).toEqual([]);
    expect(draftLines(user("Always \u001b[31mrun\u202e the linter\u0007 before a commit."))[0]).not.toMatch(
      /[\u001b\u0007\u202e]/,
    );
    expect(draftLines(user("Always run the linter first."), user("always run the linter first"))).toHaveLength(1);
    const subjects =
      "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar".split(" ");
    const many = subjects.map((each, i) => agent(`We decided to give the ${each} queue ${i} workers of its own.`));
    expect(draftsOf(many)).toHaveLength(mostDrafts);
    expect(draftsOf(many).at(-1)!.content).toContain("oscar");
  });
});

describe("the log of a session", () => {
  const line = (role: string, content: unknown, more: object = {}) =>
    JSON.stringify({ type: role, message: { role, content }, ...more });

  it("is read as clients write it; results of tools are nobody's word", () => {
    const log = [
      line("user", "Always do this."),
      line("user", [{ type: "tool_result", content: "We decided nothing." }]),
      line("assistant", [
        { type: "text", text: "Fine." },
        { type: "tool_use", name: "Bash", input: {} },
      ]),
      line("assistant", "from a side chain", { isSidechain: true }),
      JSON.stringify({
        type: "response_item",
        payload: { role: "assistant", content: [{ type: "output_text", text: "Codex" }] },
      }),
      JSON.stringify({ role: "user", content: "bare" }),
    ].join("\n");
    expect(readSessionLog(log)).toEqual({
      events: [user("Always do this."), agent("Fine."), agent("Codex"), user("bare")],
      messages: 4,
      broken: 0,
    });
  });

  it("is read around broken lines, which are counted", () => {
    const log = `{"half": \n\u0000\n[]\n"x"\nnull\n${line("user", "Always here.")}\n{"message": {"role": 7}}\n`;
    expect(readSessionLog(log)).toMatchObject({ events: [{ text: "Always here." }], broken: 2 });
  });

  it.skipIf(process.platform === "win32")(
    "is refused where it is a pipe, which would be waited for without end",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "dossier-log-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      execFileSync("mkfifo", [join(folder, "pipe")]);
      expect(() => tailOf(join(folder, "pipe"))).toThrow("is no file");
      expect(() => tailOf(folder)).toThrow("is no file");
    },
  );

  it("in UTF-16 is read as one in UTF-8, also from its end", () => {
    const folder = mkdtempSync(join(tmpdir(), "dossier-log-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "log.jsonl");
    const filler = `${line("user", [{ type: "tool_result", content: "x".repeat(900_000) }])}\n`;
    for (const before of ["", filler.repeat(10)]) {
      const little = Buffer.from(`\ufeff${before}${line("user", "Immer grüßen. Always greet.")}`, "utf16le");
      for (const bytes of [little, Buffer.from(little).swap16()]) {
        writeFileSync(path, bytes);
        const log = readSessionLog(tailOf(path));
        expect(log).toEqual({ events: [user("Immer grüßen. Always greet.")], messages: 1, broken: 0 });
      }
    }
  });

  it("of a hundred megabytes is read from its end", () => {
    const folder = mkdtempSync(join(tmpdir(), "dossier-log-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "log.jsonl");
    const filler = `${line("user", [{ type: "tool_result", content: "x".repeat(1_000_000) }])}\n`;
    writeFileSync(path, filler.repeat(100) + line("user", "Always at the end."));
    const text = tailOf(path);
    expect(text.length).toBeLessThan(20_000_000);
    expect(readSessionLog(text)).toEqual({ events: [user("Always at the end.")], messages: 1, broken: 0 });
  });
});
