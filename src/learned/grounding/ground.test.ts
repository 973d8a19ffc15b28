import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { folder, git } from "../../../tests/workspace.ts";
import { updateIndex } from "../../indexing/files/update.ts";
import { refreshHistory } from "../../indexing/history/history.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { anchorsOf } from "./anchors.ts";
import { type GroundedClaim, type GroundOptions, ground } from "./ground.ts";

const payments = `
export function processPayment(order, card) {
  const total = order.lines.reduce((sum, line) => sum + line.price, 0);
  if (card.limit < total) throw new Error("over the limit");
  return card.charge(total, order.currency);
}
`;
const refunds = `
export function refundOrder(order) {
  return order.payments.map((payment) => payment.gateway.refund(payment.id, payment.amount));
}
`;

/** A real repository that changes under what was written down about it. */
class Project {
  readonly root: string;
  readonly workspace: Workspace;

  private constructor(root: string, workspace: Workspace) {
    this.root = root;
    this.workspace = workspace;
  }

  static async open(files: Record<string, string>, options: { git?: boolean } = { git: true }): Promise<Project> {
    const root = folder(files, options);
    const workspace = await openWorkspace(root);
    onTestFinished(() => workspace.close());
    const project = new Project(workspace.root, workspace);
    await (options.git ? project.commit() : project.index());
    return project;
  }

  write(files: Record<string, string>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
  }

  remove(...paths: string[]): void {
    for (const path of paths) rmSync(join(this.root, path), { recursive: true });
  }

  rename(from: string, to: string): void {
    mkdirSync(dirname(join(this.root, to)), { recursive: true });
    renameSync(join(this.root, from), join(this.root, to));
  }

  async index(): Promise<void> {
    await updateIndex(this.workspace);
    await refreshHistory(this.workspace);
  }

  /** Commits what is there; the first seven digits of the commit. */
  async commit(): Promise<string> {
    git(this.root, "add", "-A");
    git(this.root, "commit", "-q", "--allow-empty", "-m", "change");
    await this.index();
    return git(this.root, "rev-parse", "HEAD").slice(0, 7);
  }

  /** Something written down now, with where its names are. */
  async claim(text: string): Promise<GroundedClaim> {
    return { id: text, text, written: Date.now(), anchors: await anchorsOf(text, this.workspace) };
  }

  async notes(claim: GroundedClaim | string, options?: GroundOptions): Promise<string[]> {
    return (await this.grounding(claim, options))?.notes ?? [];
  }

  async grounding(claim: GroundedClaim | string, options?: GroundOptions) {
    const whole = typeof claim === "string" ? { id: claim, text: claim, written: 0 } : claim;
    return (await ground([whole], this.workspace, options)).get(whole.id);
  }
}

describe("what a claim says of files", () => {
  it("stands while they are there, however they are written", async () => {
    const project = await Project.open({
      "src/app/utils.py": "x = 1\n",
      "docs/a.md": "# A\n",
      ".gitignore": "local.py\n",
    });
    project.write({ "local.py": "secret = 1\n" });
    const text =
      "src/app/utils.py app/utils.py utils.py:3 `src/app/` ./src `app/` docs/a.md src\\app\\utils.py local.py";
    expect(await project.notes(text)).toEqual([]);
    expect(await project.notes(`see ${project.root}/src/app/utils.py and /usr/lib/none.py and C:\\none\\x.py`)).toEqual(
      [],
    );
  });

  it("is corrected when one was renamed, through all its names", async () => {
    const project = await Project.open({ "src/old.ts": payments });
    const claim = await project.claim("src/old.ts charges cards");
    project.rename("src/old.ts", "src/middle.ts");
    await project.commit();
    expect(await project.notes(claim)).toEqual(["src/old.ts was renamed to src/middle.ts"]);
    project.rename("src/middle.ts", "lib/new.ts");
    await project.commit();
    expect(await project.grounding(claim)).toEqual({ factor: 0.98, notes: ["src/old.ts was renamed to lib/new.ts"] });
    expect(await project.notes(claim, { deep: 0 })).toEqual(["src/old.ts was renamed to lib/new.ts"]);
  });

  it("is corrected when one was renamed and changed in the same commit, where git may be asked", async () => {
    const project = await Project.open({ "src/old.ts": payments });
    project.remove("src/old.ts");
    project.write({ "src/new.ts": payments.replace("over the limit", "too much") });
    const sha = await project.commit();
    const claim = { id: "c", text: "src/old.ts charges cards", written: 0 };
    expect(await project.notes(claim, { deep: 0 })).toEqual([`src/old.ts is gone since ${sha}`]);
    expect(await project.notes(claim)).toEqual(["src/old.ts was renamed to src/new.ts"]);
  });

  it("says since when one is gone, after a rename as well", async () => {
    const project = await Project.open({ "src/old.ts": payments, "src/other.ts": refunds });
    project.rename("src/old.ts", "src/new.ts");
    await project.commit();
    project.remove("src/new.ts");
    const sha = await project.commit();
    expect(await project.grounding("src/old.ts charges cards")).toEqual({
      factor: 0.95,
      notes: [`src/old.ts is gone since ${sha}`],
    });
  });

  it("stands when a file was deleted and made again, or its name was taken by another", async () => {
    const project = await Project.open({ "src/a.ts": payments, "src/b.ts": refunds });
    project.remove("src/a.ts");
    await project.commit();
    expect(await project.notes("src/a.ts")).toHaveLength(1);
    project.write({ "src/a.ts": "export const again = 1;\n" });
    project.rename("src/b.ts", "src/c.ts");
    await project.commit();
    project.write({ "src/b.ts": "export const other = 2;\n" });
    await project.commit();
    expect(await project.notes("src/a.ts and src/b.ts")).toEqual([]);
  });

  it("does not go round when two files changed names and vanished", async () => {
    const project = await Project.open({ "a.ts": payments, "b.ts": refunds });
    project.rename("a.ts", "c.ts");
    project.rename("b.ts", "a.ts");
    await project.commit();
    project.rename("a.ts", "b.ts");
    project.rename("c.ts", "a.ts");
    await project.commit();
    project.remove("a.ts", "b.ts");
    await project.commit();
    expect(await project.notes("a.ts and b.ts and c.ts")).toHaveLength(3);
  });

  it("finds the end of a path that was written down, by where it was", async () => {
    const project = await Project.open({ "src/app/utils.py": "def one():\n    return 1\n" });
    const claim = await project.claim("`utils.py` has everything");
    project.rename("src/app/utils.py", "src/app/tools.py");
    await project.commit();
    expect(await project.notes(claim)).toEqual(["utils.py was renamed to src/app/tools.py"]);
    expect(await project.notes("`utils.py` has everything")).toEqual(["utils.py was renamed to src/app/tools.py"]);
  });

  it("follows folders", async () => {
    const project = await Project.open({
      "src/pay/a.ts": payments,
      "src/pay/b.ts": refunds,
      "src/log/x.ts": "export {};\n",
    });
    project.rename("src/pay", "src/money");
    await project.commit();
    project.rename("src/money", "src/billing");
    project.remove("src/log");
    const sha = await project.commit();
    expect(await project.notes("`src/pay/` charges and `src/log/` logs")).toEqual([
      "src/pay/ was renamed to src/billing/",
      `src/log/ is gone since ${sha}`,
    ]);
  });

  it("says nothing of what was never there: it is somewhere else, not gone", async () => {
    const project = await Project.open({ "src/a.ts": payments });
    expect(await project.grounding("src/elsewhere/thing.py does it")).toBeUndefined();
    expect(
      await project.notes(
        "`feature/login` `lodash/fp` ../up.py `response.json` src/a.js dist/cli.js node_modules/x/y.js",
      ),
    ).toEqual([]);
  });

  it("says less of what is not committed", async () => {
    const project = await Project.open({ "src/a.ts": payments });
    const claim = await project.claim("src/a.ts and src/b.ts");
    project.remove("src/a.ts");
    await project.index();
    expect(await project.grounding(claim)).toEqual({ factor: 0.98, notes: ["src/a.ts is not in the workspace now"] });
  });

  it("copes without history", async () => {
    const project = await Project.open({ "src/a.ts": payments }, {});
    const claim = await project.claim("src/a.ts exports processPayment");
    project.remove("src/a.ts");
    await project.index();
    expect(await project.notes(claim)).toEqual([
      "src/a.ts is not in the workspace now",
      "processPayment is not in the workspace now",
    ]);
  });

  it("takes what the sentence itself says is gone as said", async () => {
    const project = await Project.open({ "src/old.ts": payments });
    project.rename("src/old.ts", "src/new.ts");
    await project.commit();
    expect(await project.notes("src/old.ts was renamed to src/new.ts")).toEqual([]);
  });

  it("holds nothing against a claim that was written after the deletion, and says it", async () => {
    const project = await Project.open({ "src/old.ts": payments });
    project.remove("src/old.ts");
    const sha = await project.commit();
    const later = { id: "c", text: "src/old.ts was wrong", written: Date.now() + 24 * 60 * 60 * 1000 };
    expect(await project.grounding(later)).toEqual({ factor: 1, notes: [`src/old.ts is gone since ${sha}`] });
  });
});

describe("what a claim says of symbols", () => {
  it("stands while they are defined or written anywhere, moved or not", async () => {
    const project = await Project.open({ "src/a.ts": payments, "src/b.ts": `${refunds}\n// see legacyCharge\n` });
    const claim = await project.claim("`processPayment` is called by refundOrder() after legacyCharge");
    expect(claim.anchors?.map(({ name, path }) => `${name} ${path}`)).toEqual([
      "processPayment src/a.ts",
      "refundOrder src/b.ts",
    ]);
    project.remove("src/a.ts");
    project.write({ "lib/deep/moved.ts": payments });
    await project.commit();
    expect(await project.notes(claim)).toEqual([]);
  });

  it("is corrected when one was renamed, in a renamed file and with small changes as well", async () => {
    const project = await Project.open({ "src/a.ts": payments + refunds });
    const claim = await project.claim("processPayment checks the limit");
    project.write({ "src/a.ts": payments.replaceAll("processPayment", "chargeCard") + refunds });
    await project.commit();
    expect(await project.grounding(claim)).toEqual({
      factor: 0.98,
      notes: ["processPayment was renamed to chargeCard"],
    });
    project.rename("src/a.ts", "src/cards.ts");
    await project.commit();
    expect(await project.notes(claim)).toEqual(["processPayment was renamed to chargeCard"]);
    project.write({
      "src/cards.ts": payments.replaceAll("processPayment", "chargeCard").replace("over the limit", "too much"),
    });
    await project.commit();
    expect(await project.notes(claim)).toEqual(["processPayment was renamed to chargeCard"]);
  });

  it("is corrected even where the old name is still written, in a changelog", async () => {
    const project = await Project.open({ "src/a.ts": payments });
    const claim = await project.claim("processPayment checks the limit");
    project.write({
      "src/a.ts": payments.replaceAll("processPayment", "chargeCard"),
      "CHANGES.md": "processPayment is chargeCard now\n",
    });
    await project.commit();
    expect(await project.notes(claim)).toEqual(["processPayment was renamed to chargeCard"]);
  });

  it("is gone where only a document still speaks of it, and only when the commit is known", async () => {
    const project = await Project.open({ "src/a.ts": payments + refunds });
    const claim = await project.claim("processPayment checks the limit");
    project.write({ "src/a.ts": refunds, "CHANGES.md": "processPayment has left us\n" });
    const sha = await project.commit();
    expect(await project.notes(claim, { deep: 0 })).toEqual([]);
    expect(await project.notes(claim)).toEqual([`processPayment is gone since ${sha}`]);
    project.write({ "src/b.ts": "registry.add('processPayment', () => 1);\n" });
    await project.commit();
    expect(await project.notes(claim)).toEqual([]);
  });

  it("takes no function that was there already for a new name of another", async () => {
    const getter = (name: string) =>
      `export function ${name}(store) {\n  const found = store.find("value");\n  return found.value;\n}\n`;
    const project = await Project.open({ "src/a.ts": getter("readFirst") + getter("readSecond") });
    const claim = await project.claim("readFirst is slow");
    project.write({ "src/a.ts": getter("readSecond") });
    const sha = await project.commit();
    expect(await project.notes(claim)).toEqual([`readFirst is gone since ${sha}`]);
  });

  it("names methods with what they are in", async () => {
    const cart = (method: string) =>
      `class Cart:\n    def ${method}(self, rate):\n        lines = self.lines.active()\n        return sum(line.price for line in lines) * rate\n`;
    const project = await Project.open({
      "shop/cart.py": cart("total"),
      "shop/invoice.py": "def total(x):\n    return x\n",
    });
    const claim = await project.claim("`Cart.total` takes a rate");
    project.write({ "shop/cart.py": cart("amount") });
    await project.commit();
    expect(await project.notes(claim)).toEqual(["Cart.total was renamed to Cart.amount"]);
  });

  it("says since when one is gone, where git may be asked", async () => {
    const project = await Project.open({ "src/a.ts": payments + refunds });
    const claim = await project.claim("processPayment checks the limit");
    project.write({ "src/a.ts": refunds });
    const sha = await project.commit();
    project.write({ "src/a.ts": `${refunds}\nexport const rate = 2;\n` });
    await project.commit();
    expect(await project.grounding(claim, { deep: 0 })).toEqual({
      factor: 0.98,
      notes: ["processPayment is not in the workspace now"],
    });
    expect(await project.grounding(claim)).toEqual({ factor: 0.95, notes: [`processPayment is gone since ${sha}`] });
  });

  it("says since when one is gone with its file", async () => {
    const project = await Project.open({ "src/a.ts": payments, "src/b.ts": refunds });
    const claim = await project.claim("processPayment checks the limit");
    project.remove("src/a.ts");
    const sha = await project.commit();
    expect(await project.notes(claim)).toEqual([`processPayment is gone since ${sha}`]);
  });

  it("blames no commit for what was removed and not committed", async () => {
    const project = await Project.open({ "src/a.ts": payments + refunds });
    const claim = await project.claim("processPayment checks the limit");
    project.write({ "src/a.ts": `${payments}// processPayment again\n${refunds}` });
    await project.commit();
    project.write({ "src/a.ts": refunds });
    await project.index();
    expect(await project.notes(claim)).toEqual(["processPayment is not in the workspace now"]);
  });

  it("asks git at most as often as it is allowed to", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `handleThing${index}`);
    const source = names
      .map((name, index) => `export function ${name}(x) {\n  return x.part${index}.run(${index});\n}\n`)
      .join("\n");
    const project = await Project.open({ "src/a.ts": source });
    const claims = await Promise.all(names.map((name) => project.claim(`${name} is slow`)));
    project.write({ "src/a.ts": "export {};\n" });
    await project.commit();
    const grounded = await ground(claims, project.workspace, { deep: 3, patience: 60_000 });
    const notes = [...grounded.values()].flatMap((grounding) => grounding.notes);
    expect(notes.filter((note) => note.includes("is gone since"))).toHaveLength(3);
    expect(notes.filter((note) => note.includes("is not in the workspace now"))).toHaveLength(5);
  });

  it("says nothing of names that this tree never had: they are a library's", async () => {
    const project = await Project.open({ "src/a.ts": payments });
    expect(await project.grounding("`fetchInvoices` is slow")).toBeUndefined();
    expect(await project.notes(await project.claim("`fetchInvoices` is slow"))).toEqual([]);
    expect(
      await project.notes("`lodash.mergeWith`, createServerAction() and useInfiniteQuery come with the libraries"),
    ).toEqual([]);
    expect(await project.notes("PagerDuty calls `sudo`, DATABASE_URL is set, PostgreSQL runs")).toEqual([]);
  });
});

describe("what a claim says of commands", () => {
  const packageJson = (scripts: Record<string, string>) => JSON.stringify({ name: "x", scripts }, undefined, 2);

  it("stands while some package or makefile has them", async () => {
    const project = await Project.open({
      "package.json": packageJson({ build: "tsc" }),
      "packages/web/package.json": packageJson({ e2e: "playwright test" }),
      Makefile: ".PHONY: test\ntest: deps\n\tgo test\ndeps:\n\tgo mod tidy\n",
      "scripts/x.sh": "echo\n",
    });
    const text =
      "`npm run build`, `npm run e2e`, `make test`, `make deps`, `yarn add x`, `./scripts/x.sh`, `npx none`, `cargo none`, `python -m none`";
    expect(await project.notes(text)).toEqual([]);
    expect(await project.notes(await project.claim(text))).toEqual([]);
  });

  it("is corrected when a script is gone or has another name", async () => {
    const project = await Project.open({
      "package.json": packageJson({ "lint:all": "biome check .", unit: "vitest run", build: "tsc" }),
      Makefile: "test:\n\tgo test\nall: test\n",
    });
    const claim = await project.claim("Run npm run lint:all, `yarn unit` and `make test`");
    project.write({ "package.json": packageJson({ test: "vitest run", build: "tsc" }), Makefile: "all:\n\tgo test\n" });
    await project.commit();
    expect(await project.grounding(claim)).toEqual({
      factor: 0.9,
      notes: [
        "npm run lint:all is no longer a script of package.json",
        "yarn unit was renamed to yarn run test",
        "make test is no longer a target of Makefile",
      ],
    });
    expect(await project.notes("Run npm run lint:all")).toEqual([
      "npm run lint:all is no longer a script of package.json",
    ]);
    expect(await project.grounding("Run npm run never-there")).toBeUndefined();
  });

  it("is not judged where the file cannot be read whole, or is not there", async () => {
    const project = await Project.open({
      "package.json": "{ broken",
      Makefile: "include more.mk\n$(NAMES):\n\techo\n",
    });
    expect(await project.notes("`npm run x` and `make y`")).toEqual([]);
    const bare = await Project.open({ "a.py": "x = 1\n" });
    expect(await bare.notes("`npm run x` and `make y`")).toEqual([]);
  });

  it("follows script files", async () => {
    const project = await Project.open({ "scripts/x.sh": "echo one two three\n", "manage.py": "print('hello')\n" });
    const claim = await project.claim("`./scripts/x.sh --all` then python manage.py migrate");
    project.rename("scripts/x.sh", "tools/x-all.sh");
    await project.commit();
    project.remove("manage.py");
    const sha = await project.commit();
    expect(await project.notes(claim)).toEqual([
      "scripts/x.sh was renamed to tools/x-all.sh",
      `manage.py is gone since ${sha}`,
    ]);
  });
});

describe("grounding", () => {
  it("multiplies what speaks against a claim, down to a floor, and leaves the others out", async () => {
    const project = await Project.open({
      "a/one.ts": payments,
      "a/two.ts": refunds,
      "a/three.ts": "export const x = 1;\n",
      "a/four.ts": "export const four = 4;\n",
      "a/five.ts": "export const five = 5;\n",
    });
    project.rename("a/one.ts", "b/one-more.ts");
    project.remove("a/two.ts", "a/four.ts", "a/five.ts");
    await project.commit();
    const claims = [
      { id: "both", text: "a/one.ts and a/two.ts", written: 0 },
      { id: "many", text: "a/two.ts a/four.ts a/one.ts a/five.ts", written: 0 },
      { id: "fine", text: "a/three.ts", written: 0 },
      { id: "none", text: "nothing at all", written: 0 },
    ];
    const grounded = await ground(claims, project.workspace);
    expect([...grounded.keys()]).toEqual(["both", "many"]);
    expect(grounded.get("both")?.factor).toBeCloseTo(0.931);
    expect(grounded.get("many")?.factor).toBe(0.9);
  });

  it("asks the index once for what many claims name", async () => {
    const project = await Project.open({ "src/a.ts": payments, "src/gone.ts": refunds });
    project.remove("src/gone.ts");
    await project.commit();
    let lookups = 0;
    const { store } = project.workspace;
    const counting: Workspace = {
      ...project.workspace,
      store: {
        ...store,
        searchPaths(...parameters) {
          lookups++;
          return store.searchPaths(...parameters);
        },
        searchNames(...parameters) {
          lookups++;
          return store.searchNames(...parameters);
        },
      },
    };
    const claims = Array.from({ length: 60 }, (_, index) => ({
      id: String(index),
      text: "src/gone.ts has someName()",
      written: index,
    }));
    expect((await ground(claims, counting)).size).toBe(60);
    expect(lookups).toBeLessThanOrEqual(4);
  });

  it("says nothing before anything is indexed", async () => {
    const workspace = await openWorkspace(folder({ "src/a.ts": payments }));
    onTestFinished(() => workspace.close());
    const claim = { id: "c", text: "src/b.ts exports processPayment", written: 0 };
    expect((await ground([claim], workspace)).size).toBe(0);
  });

  it("works from a folder of a repository", async () => {
    const root = folder({ "web/src/old.ts": payments, "web/.dossier/.gitignore": "*\n" }, { git: true });
    const commit = () => {
      git(root, "add", "-A");
      git(root, "commit", "-q", "-m", "change");
    };
    commit();
    git(root, "mv", "web/src/old.ts", "web/src/new.ts");
    writeFileSync(join(root, "web/src/new.ts"), payments.replace("over the limit", "too much"));
    commit();
    const workspace = await openWorkspace(join(root, "web"));
    onTestFinished(() => workspace.close());
    expect(workspace.root.endsWith("web")).toBe(true);
    await updateIndex(workspace);
    await refreshHistory(workspace);
    const claim = { id: "c", text: "src/old.ts exports processPayment", written: 0 };
    expect((await ground([claim], workspace)).get("c")?.notes).toEqual(["src/old.ts was renamed to src/new.ts"]);
  });

  it("says the same twice, and nothing of no claims or hostile ones", async () => {
    const project = await Project.open({ "src/a.ts": payments });
    project.remove("src/a.ts");
    await project.commit();
    const claim = { id: "c", text: "src/a.ts exports processPayment", written: 0 };
    expect(await project.grounding(claim)).toEqual(await project.grounding(claim));
    expect((await ground([], project.workspace)).size).toBe(0);
    const hostile = [
      "../../../etc/passwd.py",
      "`; rm -rf x`",
      "\0src/a\0.ts",
      `${"a/".repeat(140)}b.ts`,
      "`-x/--upload-pack.ts`",
      ":(glob)src/*.ts",
    ];
    for (const text of hostile) expect((await project.notes(text)).length, text).toBeLessThanOrEqual(1);
  });
});
