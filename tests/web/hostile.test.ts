import { beforeAll, describe, expect, it } from "vitest";
import { answered, hasBrowser, pages, type RunningService, service, titled } from "./browser.ts";

const visit = pages();
const attack = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>';
const link = "javascript:window.ran=1";

let hostile: RunningService;
beforeAll(async () => {
  if (!hasBrowser) return;
  hostile = await service({
    [`notes/${attack.replaceAll("/", "")}.md`]: `# ${attack}\n\nA payment [click](${link}) ${attack}\n\n<svg onload="window.ran=1">\n`,
    "src/evil.ts": `/** ${attack} payment */\nexport function payment() {\n  return \`${attack}\`;\n}\n</script>\n`,
    "docs/close.md": `# Payment ]]> </file> ${attack}\n\n\`\`\`\n${attack}\n\`\`\`\n`,
  });
  await hostile.run("memory", "add", `A payment ${attack} is made ${link}`, "--category", "fact");
});

describe.skipIf(!hasBrowser)(titled("hostile content"), () => {
  it.each(["ask", "budget", "why", "text", "compare"])("runs nothing in %s", async (view) => {
    const formats = view === "text" ? ["markdown", "xml", "plain", "json"] : ["markdown"];
    for (const format of formats) {
      const { page, errors, foreign } = await visit(
        `${hostile.url}/#/${view}?query=payment+img+onerror&format=${format}`,
      );
      expect(await answered(page)).not.toMatch(/^0 items/);
      if (view === "why") {
        for (const pick of await page.locator(".pick").all()) {
          await pick.click();
          await page.getByRole("button", { name: "Open the source" }).click();
          await page.locator(".lines, .opened-record").first().waitFor();
        }
      }
      await page.waitForTimeout(200);
      expect(await page.evaluate("window.ran")).toBeUndefined();
      expect(await page.locator("main img, main script, main svg, main a[href^=javascript]").count()).toBe(0);
      expect([errors, foreign]).toEqual([[], []]);
    }
  });

  it("runs nothing that stands in the address", async () => {
    const address = `${hostile.url}/#/${encodeURIComponent(attack)}?query=${encodeURIComponent(attack)}&item=${encodeURIComponent(attack)}`;
    const { page, errors } = await visit(address);
    await page.getByRole("textbox", { name: "Question" }).waitFor();
    await page.waitForTimeout(300);
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(errors).toEqual([]);
  });
});
