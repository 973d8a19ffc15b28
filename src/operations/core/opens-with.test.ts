import { describe, expect, it } from "vitest";
import { opensWith } from "./opens-with.ts";

const notice = "No notes are connected to this workspace.";

describe("what a document begins with", () => {
  it("is a notice in its first line, and one below the title and the facts of a notes graph", () => {
    expect(opensWith(`*${notice}*\n`, notice)).toBe(true);
    expect(opensWith(`# Context: x\n\n*Lens: general | Workspace: a*\n\n*${notice}*\n`, notice)).toBe(true);
    expect(opensWith(`# Context: #x\n\n*Lens: general*\n\n> No note has the tag "x".\n\n*${notice}*\n`, notice)).toBe(
      true,
    );
  });

  it("is a notice in JSON, too, but nothing that comes far below", () => {
    expect(opensWith('{"notice":"Nothing like \\"x\\" is here."}', 'Nothing like "x" is here.')).toBe(true);
    expect(opensWith(`### a.md\n${"text\n".repeat(10)}${notice}\n`, notice)).toBe(false);
  });
});
