import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, bearer, type RunningServer, start } from "../http/http-server.ts";

const folder = "dist/web";
const names = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

/** Of the whole inspector, as it goes over the wire. */
const mostBytes = 250_000;

let running: RunningServer;
beforeAll(async () => {
  running = await start({ files: { "a.md": "# A\n" } });
});
afterAll(() => running.close());

describe("the inspector's files", () => {
  it("are at most 250 kB in all, compressed", () => {
    const bytes = names.reduce((sum, name) => sum + gzipSync(readFileSync(name)).length, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(mostBytes);
  });

  it("hold no inline code and name no other host", () => {
    const page = readFileSync(join(folder, "index.html"), "utf8");
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/);
    for (const name of names) {
      const hosts = [...readFileSync(name, "utf8").matchAll(/\bhttps?:\/\/([\w.-]+)/g)].map((match) => match[1]!);
      expect(hosts.filter((host) => host !== "www.w3.org")).toEqual([]);
    }
  });

  it("are served at / with a policy that allows nothing but themselves", async () => {
    const { status, headers, text } = await ask(`${running.url}/`);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    const policy = headers["content-security-policy"]!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
    const [, script] = /src="([^"]+\.js)"/.exec(text)!;
    const asset = await ask(`${running.url}${script!.replace(/^\./, "")}`);
    expect(asset.status).toBe(200);
    expect(asset.headers["cache-control"]).toContain("immutable");
  });

  it("are loaded without a key, which the page then asks for; nothing else is", async () => {
    await running.key("ada", "read");
    expect((await ask(`${running.url}/`)).status).toBe(200);
    expect((await ask(`${running.url}/v1/status`, { method: "POST" })).status).toBe(401);
    expect((await ask(`${running.url}/assets/..%2f..%2fcli.js`)).status).not.toBe(200);
  });

  it("are no part of the API's description", async () => {
    const secret = await running.key("ada", "read");
    const { text } = await ask(`${running.url}/openapi.json`, { headers: bearer(secret) });
    expect(text).not.toContain('"/assets/');
    expect(JSON.parse(text)).not.toHaveProperty(["paths", "/"]);
  });
});
