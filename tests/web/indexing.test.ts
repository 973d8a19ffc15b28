import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { claimBuilding } from "../../src/indexing/files/build-lock.ts";
import { openDatabase } from "../../src/stores/sqlite/engine/driver.ts";
import { locateDatabase } from "../../src/workspace/database-paths.ts";
import { answered, hasBrowser, pages, type RunningService, service, titled } from "./browser.ts";

const visit = pages();

const many = 600;
const files = Object.fromEntries(
  Array.from({ length: many }, (_, at) => [
    `src/part${at % 40}/module${at}.ts`,
    `${Array.from({ length: 12 }, (_, i) => `/** Settles account ${at} step ${i}. */\nexport function settle${at}Step${i}(amount: number): number {\n  return amount * ${i};\n}\n`).join("\n")}`,
  ]),
);

/** Builds as another process would, so that the service waits until it is released, however fast the machine is. */
async function holdBuilding(folder: string): Promise<() => void> {
  const release = await claimBuilding(locateDatabase(folder, true), { isBuilt: async () => false });
  if (!release) throw new Error("The index is built already, or its lock cannot be taken.");
  return release;
}

/** Writes as another process would, so that no update ends before it is released. */
async function holdWriting(folder: string): Promise<() => void> {
  const database = await openDatabase(locateDatabase(folder, true));
  database.execute("BEGIN IMMEDIATE");
  return () => {
    database.execute("ROLLBACK");
    database.close();
  };
}

describe.skipIf(!hasBrowser)(titled("a workspace that is still being indexed"), () => {
  let asked: RunningService;
  beforeAll(async () => {
    if (hasBrowser) asked = await service(files, 1);
  });

  it("says how far it is, answers with what is there, and answers better by itself", async () => {
    const release = await holdBuilding(asked.folder);
    const { page, errors } = await visit(`${asked.url}/#/ask?query=settle599Step7`);
    await page.getByText("The workspace is still being indexed.").waitFor();
    release();
    await page.getByText("The workspace is still being indexed.").waitFor({ state: "detached", timeout: 60_000 });
    await answered(page);
    await page.getByRole("listitem").filter({ hasText: "settle599Step7" }).first().waitFor();
    expect(errors).toEqual([]);
  });

  it("says what a first question waits for where much has changed since it was indexed", async () => {
    const release = await holdWriting(asked.folder);
    for (const [path, text] of Object.entries(files)) {
      writeFileSync(join(asked.folder, path), text.replaceAll("amount", "charge"));
    }
    const { page, errors } = await visit(`${asked.url}/#/ask?query=settle598Step7`);
    await page.getByText(/^Bringing the index up to date: \w+/).waitFor();
    release();
    await answered(page);
    await page.getByRole("listitem").filter({ hasText: "settle598Step7" }).first().waitFor();
    expect(errors).toEqual([]);
  });

  it("shows the progress in the workspace, and what is there when it ends", async () => {
    const own = await service(files, 1);
    const release = await holdBuilding(own.folder);
    const { page, errors } = await visit(`${own.url}/#/workspace`);
    await page.getByRole("button", { name: "Index this folder" }).click();
    await page.getByRole("status").getByText("waiting", { exact: true }).waitFor();
    release();
    await page.getByRole("progressbar", { name: /^Indexing: / }).waitFor();
    await page.getByText("up to date", { exact: true }).waitFor({ timeout: 60_000 });
    await page.getByText(`${many} files`).first().waitFor();
    // What changes on the disk meanwhile is seen by the page that is open.
    writeFileSync(join(own.folder, "src", "late.ts"), "export const late = 1;\n");
    await page.getByRole("button", { name: "Bring up to date" }).click();
    await page
      .getByText(`${many + 1} files`)
      .first()
      .waitFor();
    expect(errors).toEqual([]);
  });
});
