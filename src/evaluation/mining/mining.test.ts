import { describe, expect, it, onTestFinished } from "vitest";
import { idOf, noteOf, notesWorkspace } from "../../../tests/notes/notes-workspace.ts";
import { folder, git } from "../../../tests/workspace.ts";
import { ensureFresh } from "../../indexing/files/fresh.ts";
import { refreshHistory } from "../../indexing/history/history.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import type { CaseKind } from "../case.ts";
import { mine } from "./mine.ts";

const mining = { limit: 100, seed: 1 };

async function workspaceOf(files: Record<string, string>): Promise<Workspace> {
  return openedAt(folder(files));
}

async function openedAt(root: string): Promise<Workspace> {
  const workspace = await openWorkspace(root);
  onTestFinished(() => workspace.close());
  await ensureFresh(workspace, {});
  await refreshHistory(workspace);
  return workspace;
}

async function mined(workspace: Workspace, kind: CaseKind, own?: string) {
  const { cases, yields } = await mine(workspace, [kind], own, mining);
  return { cases, why: yields[0]?.why };
}

describe("commits as cases", () => {
  it("expect the source files that are still there, under the name they have now", async () => {
    const root = folder({ "src/pay.py": "def pay():\n    return 1\n" }, { git: true });
    const { writeFileSync, mkdirSync, renameSync, rmSync } = await import("node:fs");
    const commit = (message: string) => {
      git(root, "add", "-A");
      git(root, "commit", "-q", "-m", message);
    };
    commit("Take payments from customers by card");
    mkdirSync(`${root}/tests`);
    writeFileSync(`${root}/src/pay.py`, "def pay():\n    return 2\n");
    writeFileSync(`${root}/src/gone.py`, "def gone():\n    return 2\n");
    writeFileSync(`${root}/tests/test_pay.py`, "def test_pay():\n    assert True\n");
    writeFileSync(`${root}/CHANGELOG.md`, "refunds\n");
    commit("Pay refunds back to the same card (#12)\n\nSigned-off-by: Ada <ada@example.org>");
    renameSync(`${root}/src/pay.py`, `${root}/src/payments.py`);
    rmSync(`${root}/src/gone.py`);
    commit("Rename what takes the payments of customers");
    writeFileSync(`${root}/src/payments.py`, "def pay():\n    return 3\n");
    commit("bump version to 1.2.3");

    const { cases } = await mined(await openedAt(root), "commit");
    const byQuery = Object.fromEntries(cases.map(({ query, expect }) => [query, expect.map(({ place }) => place)]));
    expect(byQuery).toEqual({
      "Take payments from customers by card": ["src/payments.py"],
      "Pay refunds back to the same card": ["src/payments.py"],
      "Rename what takes the payments of customers": ["src/payments.py"],
    });
    for (const { limits, time, from } of cases) {
      expect(limits).toEqual({ code: true, before: time });
      expect(from).toMatch(/^commit [0-9a-f]{12}$/);
    }
  });

  it("leave out sweeps through the code, and messages that name the file", async () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`src/part${i}.py`, `x = ${i}\n`]));
    const root = folder(many, { git: true });
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "Begin with five and twenty parts of the program");
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${root}/src/part3.py`, "x = 4\n");
    git(root, "commit", "-q", "-am", "Correct the number that stands in part3.py");
    const { cases, why } = await mined(await openedAt(root), "commit");
    expect(cases).toEqual([]);
    expect(why).toBe("None of 2 commits says in words what it changed in source files that are still here.");
  });

  it("are none without git, and it says so", async () => {
    expect(await mined(await workspaceOf({ "a.py": "x = 1\n" }), "commit")).toEqual({
      cases: [],
      why: "There is no git history.",
    });
  });
});

describe("tests as cases", () => {
  it("expect the unit that is called and named, and only where it is certain which", async () => {
    const workspace = await workspaceOf({
      "shop/basket.py": "def add_discount(total):\n    return total\n\ndef render(x):\n    return x\n",
      "shop/page.py": "def render(x):\n    return x\n",
      "tests/test_lists.py": "from shop.basket import render\n\ndef test_render_empty_list():\n    render(1)\n",
      "tests/test_basket.py":
        'from shop.basket import add_discount\n\ndef test_add_discount_rounds_down():\n    """Half cents are lost."""\n    assert add_discount(3) == 3\n\ndef helper_of_discounts():\n    add_discount(1)\n',
    });
    const { cases } = await mined(workspace, "test");
    expect(cases.map(({ query, expect, from }) => ({ query, expect: expect[0]?.shown, from }))).toEqual([
      {
        query: "add discount rounds down\nHalf cents are lost.",
        expect: "shop/basket.py::add_discount",
        from: "tests/test_basket.py::test_add_discount_rounds_down",
      },
    ]);
    expect(cases[0]!.expect[0]).toMatchObject({ place: "shop/basket.py", unit: expect.stringMatching(/^cod-/) });
    expect(cases[0]!.limits).toEqual({ code: true });
  });

  it("are sentences where tests are called by them", async () => {
    const workspace = await workspaceOf({
      "lib/parser.js": "exports.parseHeader = function parseHeader(text) {\n  return text;\n};\n",
      "test/parser.test.js":
        'const { parseHeader } = require("../lib/parser");\ndescribe("parseHeader", () => {\n  it("keeps folded lines together", () => {\n    parseHeader("a");\n  });\n});\n',
    });
    const { cases } = await mined(workspace, "test");
    expect(cases.map(({ query, expect }) => [query, expect[0]!.place])).toEqual([
      ["parseHeader keeps folded lines together", "lib/parser.js"],
    ]);
  });

  it("are none without tests, and it says so", async () => {
    expect((await mined(await workspaceOf({ "a.py": "x = 1\n" }), "test")).why).toBe("There are no tests.");
  });
});

describe("notes as cases", () => {
  it("ask with the sentence and without the name", async () => {
    const { workspace } = await notesWorkspace([
      noteOf("ledger", "Ledger", { text: "Double entry, append only." }),
      noteOf("refunds", "Refunds", {
        text: "Refunds are posted to the [[Ledger]] overnight and checked by support.",
        references: ["ledger"],
      }),
      noteOf("short", "See", { text: "See [[Ledger]].", references: ["ledger"] }),
    ]);
    const { cases } = await mined(workspace, "note");
    expect(cases).toMatchObject([
      {
        query: "Refunds are posted to the overnight and checked by support.",
        expect: [{ place: idOf("ledger"), shown: "Ledger" }],
        hidden: [idOf("refunds")],
        limits: { expand: false },
        from: "test: Refunds",
      },
    ]);
  });

  it("of a vault in the workspace are its files", async () => {
    const root = folder({
      ".obsidian/app.json": "{}",
      "Ledger.md": "# Ledger\n\nDouble entry, append only.\n",
      "work/Refunds (old).md": "Refunds are posted to the [[Ledger]] overnight and checked by support.\n",
    });
    const workspace = await openedAt(root);
    const { refreshNotes } = await import("../../indexing/notes/notes.ts");
    await refreshNotes(workspace, { now: 1 });
    const { cases } = await mined(workspace, "note");
    expect(cases.map(({ expect, hidden, limits }) => ({ place: expect[0]!.place, hidden, limits }))).toContainEqual({
      place: "Ledger.md",
      hidden: ["work/Refunds (old).md"],
      limits: { expand: false, paths: ["!/work/Refunds \\(old\\).md"] },
    });
  });

  it("are none without notes or mentions, and it says so", async () => {
    expect((await mined(await workspaceOf({}), "note")).why).toBe("No notes are connected.");
    const { workspace } = await notesWorkspace([noteOf("a", "Alone")]);
    expect((await mined(workspace, "note")).why).toBe("No note mentions another one.");
  });
});

describe("threads as cases", () => {
  it("expect what the reply cites or names, and what the question points at", async () => {
    const workspace = await workspaceOf({
      "src/refunds.py": "def refund(order):\n    return order\n",
      "src/mail.py": "def send(to):\n    return to\n",
    });
    const { owner, store } = workspace;
    const library = await workspace.library();
    const document = await library.putDocument(owner, { path: "plans/release.md", content: "# Plan\n", at: 1 });
    const { id } = await library.createThread(owner, { title: "Refunds", at: 1 });
    const [unit] = (await store.itemsOf(owner, "src/refunds.py")).filter(({ name }) => name === "refund");
    const say = (role: "user" | "assistant", text: string, at: number) => ({
      role,
      at,
      blocks: [{ type: "text" as const, text }],
    });
    await library.addMessages(owner, id, [
      say("user", "How do customers get their money back?", 10),
      say(
        "assistant",
        `By a function of its own [${unit!.id}]. Look at \`src/mail.py\` as well, not at src/none.py.`,
        11,
      ),
      say("user", "When is the next version due, says @plans/release.md?", 20),
      say("assistant", "In May.", 21),
      say("user", "Thanks a lot for all of that", 30),
      say("assistant", "You are welcome.", 31),
    ]);
    const { cases } = await mined(workspace, "thread");
    const byQuery = Object.fromEntries(cases.map(({ query, expect }) => [query, expect.map(({ place }) => place)]));
    expect(byQuery).toEqual({
      "How do customers get their money back?": ["src/refunds.py", "src/mail.py"],
      "When is the next version due, says ?": [`library:document/${document.id}`],
    });
    for (const { limits, time } of cases) {
      expect(limits.before).toBe(time);
      expect(limits.sources).not.toContain("message");
    }
  });

  it("are none without threads, and it says so", async () => {
    expect((await mined(await workspaceOf({}), "thread")).why).toBe("There are no threads.");
  });
});

describe("a user's own cases", () => {
  it("name files, units and ids", async () => {
    const workspace = await workspaceOf({ "src/a.py": "def one():\n    return 1\n\ndef two():\n    return 2\n" });
    const [, one] = await workspace.store.itemsOf(workspace.owner, "src/a.py");
    const lines = [
      JSON.stringify({ query: "where is one", expect: ["src/a.py", "./src/a.py::two", one!.id] }),
      "",
      JSON.stringify({ query: "where is nothing", expect: "src/none.py" }),
    ].join("\n");
    const { cases, warnings } = await mine(workspace, ["own"], lines, mining);
    expect(cases.map(({ expect }) => expect.map(({ shown }) => shown))).toEqual([
      ["src/a.py", "src/a.py::two", "src/a.py::one"],
    ]);
    expect(cases[0]!.expect.map(({ unit }) => unit !== undefined)).toEqual([false, true, true]);
    expect(warnings).toEqual(['Line 3 of the cases expects "src/none.py", which is not in the index.']);
  });

  it.each([
    ["{", /^Line 2 of the cases is not JSON/],
    ["3", /^Line 2 of the cases is no object/],
    ['{"expect": ["a"]}', /has no query/],
    ['{"query": " ", "expect": ["a"]}', /has no query/],
    ['{"query": "a", "expect": []}', /says nothing that is expected/],
    ['{"query": "a", "expect": [1]}', /says nothing that is expected/],
    ['{"query": "a", "expect": ["a"], "before": "yesterday"}', /has a wrong before/],
  ])("are refused with their line: %s", async (line, sentence) => {
    const workspace = await workspaceOf({});
    await expect(mine(workspace, ["own"], `\n${line}`, mining)).rejects.toThrow(sentence);
  });
});
