import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { DossierError } from "../../errors.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { callerOf, requireScope } from "../core/access.ts";
import { call } from "../core/call.ts";
import type { ServiceParts } from "../core/serving.ts";
import { parseExpiry } from "../terminal/parse-time.ts";
import { openKeys } from "./key-store.ts";
import { keys } from "./keys.ts";
import { serve } from "./serve.ts";

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "dossier-keys-"));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

const run = async (input: Omit<z.input<typeof keys.input>, "path">) => (await call(keys, { path, ...input })).output;

async function stored<Result>(use: (store: Awaited<ReturnType<typeof openKeys>>) => Promise<Result>): Promise<Result> {
  const workspace = await openWorkspace(path);
  const store = await openKeys(workspace);
  try {
    return await use(store);
  } finally {
    await store.close();
    await workspace.close();
  }
}

describe("keys", () => {
  it("are made with a secret that is shown once, listed without it, and revoked by name or id", async () => {
    const first = await run({ step: "create", name: "chat", owner: "ada", scope: "read", expires: "90d" });
    const second = await run({ step: "create", name: "sync" });
    expect(first.secret).toMatch(/^dsr_[\w-]{43}$/);
    expect(first.secret).not.toBe(second.secret);
    expect(second.keys[0]).toMatchObject({ owner: "local", scope: "write", state: "valid" });
    const listed = await run({});
    expect(listed.keys.map(({ name }) => name)).toEqual(["sync", "chat"]);
    expect(JSON.stringify(listed)).not.toContain(first.secret!.slice(12));
    expect((await run({ owner: "ada" })).keys.map(({ name }) => name)).toEqual(["chat"]);
    expect((await run({ step: "revoke", name: "chat" })).keys).toMatchObject([{ name: "chat", state: "revoked" }]);
    expect((await run({ step: "revoke", name: second.keys[0]!.id })).keys).toMatchObject([{ name: "sync" }]);
  });

  it("are refused with a sentence when something is missing or wrong", async () => {
    await expect(run({ step: "create" })).rejects.toThrow(/name is missing/);
    await expect(run({ step: "create", name: "  " })).rejects.toThrow(/name is missing/);
    await expect(run({ step: "revoke" })).rejects.toThrow(/name is missing/);
    await expect(run({ step: "revoke", name: "nobody" })).rejects.toThrow(/no key "nobody"/);
    await expect(run({ step: "create", name: "x", expires: "soon" })).rejects.toThrow(/expires takes a date/);
    await expect(run({ step: "create", name: "x", expires: "2020-01-01" })).rejects.toThrow(/takes a time to come/);
    await run({ step: "create", name: "x" });
    await expect(run({ step: "create", name: "x" })).rejects.toThrow(/There is a key "x" already/);
    await run({ step: "revoke", name: "x" });
    await expect(run({ step: "revoke", name: "x" })).rejects.toThrow(/no key "x" that could be revoked/);
    expect((await run({ step: "create", name: "x" })).keys).toHaveLength(1);
  });

  it("say who asks, until they end", async () => {
    const { secret = "" } = await run({ step: "create", name: "chat", owner: "ada", scope: "read", expires: "1d" });
    const now = Date.now();
    await stored(async (store) => {
      expect(await callerOf(store, secret, now)).toMatchObject({ owner: "ada", scope: "read" });
      await expect(callerOf(store, secret, now + 25 * 3_600_000)).rejects.toThrow(/expired/);
      await expect(callerOf(store, `${secret}x`, now)).rejects.toThrow(/not known/);
      await store.revoke("chat", now);
      await expect(callerOf(store, secret, now)).rejects.toThrow(/revoked/);
    });
  });

  it("work although their use cannot be written down", async () => {
    const { secret = "" } = await run({ step: "create", name: "chat" });
    await stored(async (store) => {
      const touch = async () => {
        throw new DossierError("store-locked", "Locked.");
      };
      expect(await callerOf({ ...store, touch }, secret, Date.now())).toMatchObject({ owner: "local" });
    });
  });
});

it("a scope may do what those before it may", () => {
  const as = (scope: "read" | "write" | "admin") => ({ owner: "ada", scope });
  expect(() => requireScope(as("admin"), "read", "x")).not.toThrow();
  expect(() => requireScope(as("write"), "write", "x")).not.toThrow();
  expect(() => requireScope(as("read"), "write", "remember")).toThrow(/remember needs a key of the scope write/);
  expect(() => requireScope(as("write"), "admin", "x")).toThrow(DossierError);
});

it("an end lies as far ahead as is said", () => {
  const now = Date.UTC(2026, 0, 31);
  expect(parseExpiry("90d", now, "expires")).toBe(now + 90 * 86_400_000);
  expect(parseExpiry("2026-02-01", now, "expires")).toBe(Date.UTC(2026, 1, 1));
  expect(() => parseExpiry("0d", now, "expires")).toThrow(/to come/);
});

describe("serve", () => {
  const served: ServiceParts[] = [];
  const start = async (service: ServiceParts) => {
    served.push(service);
    return { url: "http://x", requests: 0 };
  };

  it("is refused to others than this machine until a key exists", async () => {
    await expect(call(serve, { path, host: "0.0.0.0" }, { serve: start })).rejects.toThrow(
      /Without a key only this machine/,
    );
    for (const host of ["127.0.0.1", "localhost", "::1", "[::1]"]) await call(serve, { path, host }, { serve: start });
    await run({ step: "create", name: "chat" });
    await call(serve, { path, host: "0.0.0.0", maxBody: 0.5 }, { serve: start });
    expect(served.at(-1)!.settings).toMatchObject({ host: "0.0.0.0", maxBody: 500_000, port: 8137 });
  });

  it("is the command line's alone", async () => {
    await expect(call(serve, { path })).rejects.toThrow(/Only the command line/);
  });
});
