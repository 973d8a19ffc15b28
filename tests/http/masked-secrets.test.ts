import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearer, post, type RunningServer, start } from "./http-server.ts";

let running: RunningServer;
let secret: string;
beforeAll(async () => {
  running = await start();
  secret = await running.key("ada", "write");
});
afterAll(() => running.close());

const call = (operation: string, input: object) => post(`${running.url}/v1/${operation}`, input, bearer(secret));

describe("what must not be given away", () => {
  it("is refused where a name says it: settings of package registries and their like", async () => {
    for (const document of [".npmrc", "web/.npmrc", ".netrc", "deploy/.env.production"]) {
      const { status, json } = await call("put_document", { document, content: "_authToken=plumbago-9" });
      expect([document, status, json.error?.code]).toEqual([document, 422, "looks-secret"]);
    }
    await call("put_document", { document: ".npmrc", content: "//r.example.org/:_authToken=plumbago9", force: true });
    for (const [operation, input] of [
      ["prime_context", { message: "plumbago9 _authToken" }],
      ["search", { query: "plumbago9" }],
      ["context", { query: "plumbago9", sources: ["document"] }],
    ] as const) {
      const { text, status } = await call(operation, input);
      expect([operation, status]).toEqual([operation, 200]);
      expect(text).not.toContain("_authToken=plumbago9");
    }
  });

  it("is masked inside other texts: our own keys, and what registries are asked with", async () => {
    const prose =
      "Whoever sets up the heliotrope first reads this page, then asks Ottoline for a place in the cellar.\n".repeat(8);
    const content = `# Heliotrope setup\n\nThe service is asked with ${secret}.\n\n//npm.example.org/:_authToken=hunter22x\n\n${prose}\n`;
    expect((await call("put_document", { document: "setup.md", content })).status).toBe(200);
    for (const [operation, input] of [
      ["prime_context", { message: "What is the heliotrope setup?" }],
      ["context", { query: "heliotrope setup", sources: ["document"] }],
    ] as const) {
      const { text } = await call(operation, input);
      expect(text).toContain("Heliotrope setup");
      expect(text).toContain("[secret:dossier-key:");
      expect(text).toContain("[secret:registry-credential:");
      for (const plain of [secret, "hunter22x"]) expect(text).not.toContain(plain);
    }
  });
});
