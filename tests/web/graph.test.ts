import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, pages, type RunningService, service, shop, titled } from "./browser.ts";
import { expectAccessible } from "./inspector-page.ts";

const visit = pages();
let shopService: RunningService;

describe.skipIf(!hasBrowser)(titled("the graph"), () => {
  beforeAll(async () => {
    shopService = await service(shop);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: shopService.folder });
    git("init", "-q");
    git("add", "src", "docs", "README.md");
    git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "Retry with backoff");
    await shopService.run("index");
    await shopService.run("memory", "add", "retryPayment in src/retry.ts gives up after three times.");
  });

  it("leads from code to what is remembered of it, and back", async () => {
    const { page, errors } = await visit(`${shopService.url}/#/graph?node=retryPayment`);
    const picture = page.getByRole("group", { name: /What is linked/ });
    await picture.getByRole("button", { name: /^retryPayment in src.*memory/ }).click();
    const details = page.getByRole("region", { name: /^Details of retryPayment in src/ });
    await details.getByText("refers to").waitFor();
    await details.getByRole("button", { name: "retryPayment", exact: true }).click();
    await page.getByText("Around retryPayment", { exact: true }).waitFor();
    await expectAccessible(page);
    expect(errors).toEqual([]);
  });

  it("leads from a file to the commits that touched it", async () => {
    const { page, errors } = await visit(`${shopService.url}/#/graph?node=src%2Fretry.ts`);
    const picture = page.getByRole("group", { name: /What is linked/ });
    await picture.getByRole("button", { name: /^Retry with backoff, commit/ }).click();
    await page.getByText("Around Retry with backoff").waitFor();
    await picture.getByRole("button", { name: /^refund\.py, file/ }).waitFor();
    await page.getByRole("region", { name: "Details of Retry with backoff" }).getByText("touches").first().waitFor();
    expect(errors).toEqual([]);
  });
});
