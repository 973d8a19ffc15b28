import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type KeyStore, keyState, type NewKey } from "../keys.ts";
import { oddTexts } from "./library.samples.ts";

/** What every engine of keys must do. `open` gives a new, empty store each time. */
export function keyCases(name: string, open: () => Promise<KeyStore>): void {
  describe(name, () => {
    let keys: KeyStore;
    beforeEach(async () => {
      keys = await open();
    });
    afterEach(async () => {
      await keys.close();
    });
    const create = (name: string, more: Partial<NewKey> = {}) =>
      keys.create({ name, owner: "me", scope: "read", at: 1000, ...more });

    it("gives a secret of 256 bits once, and finds the key by it alone", async () => {
      const { secret, info } = await create("bot", { scope: "write", expires: 9000 });
      expect(secret).toMatch(/^dsr_[A-Za-z0-9_-]{43}$/);
      expect(info).toEqual({
        id: expect.stringMatching(/^key-[0-9a-z]{13}$/),
        ...{ name: "bot", owner: "me", scope: "write", at: 1000, expires: 9000, hint: secret.slice(0, 8) },
      });
      expect(await keys.find(secret)).toEqual(info);
      expect(JSON.stringify(await keys.list())).not.toContain(secret.slice(9));
      const other = await create("bot");
      expect(other.secret).not.toBe(secret);
      expect(await keys.find(other.secret)).toEqual(other.info);
    });

    it("finds nothing by anything else", async () => {
      const { secret, info } = await create("bot");
      const flipped = secret.slice(0, -2) + (secret.at(-2) === "A" ? "B" : "A") + secret.at(-1);
      const others = [flipped, secret.slice(0, -1), `${secret}A`, ` ${secret}`, `${secret}\n`, secret.toUpperCase()];
      const worse = ["", "dsr_", info.id, info.hint, "' OR 1=1 --", `dsr_${"A".repeat(43)}`, "x".repeat(1_000_000)];
      for (const wrong of [...others, ...worse, ...oddTexts]) expect(await keys.find(wrong)).toBeUndefined();
    });

    it("lists the newest first, of one owner or of all", async () => {
      await create("a", { at: 1 });
      await create("b", { at: 3, owner: "you" });
      await create("c", { at: 2 });
      await create("d", { at: 3 });
      const names = async (owner?: string) => (await keys.list(owner)).map((key) => key.name);
      expect(await names()).toEqual(["d", "b", "c", "a"]);
      expect(await names("me")).toEqual(["d", "c", "a"]);
      for (const owner of ["ME", "", "nobody", "me\u0000"]) expect(await names(owner)).toEqual([]);
    });

    it("says which are revoked or have expired", async () => {
      const { secret, info } = await create("bot", { expires: 5000 });
      expect([keyState(info, 4999), keyState(info, 5000)]).toEqual(["active", "expired"]);
      expect(await keys.revoke(info.id, 3000)).toBe(true);
      expect(await keys.revoke(info.id, 4000)).toBe(false);
      const revoked = await keys.find(secret);
      expect(revoked).toEqual({ ...info, revoked: 3000 });
      expect([keyState(revoked!, 1), keyState(revoked!, 9000)]).toEqual(["revoked", "revoked"]);
      expect(await keys.list("me")).toEqual([revoked]);
      const forever = await create("forever");
      expect(keyState(forever.info, Number.MAX_SAFE_INTEGER)).toBe("active");
    });

    it("revokes by a name that only one key in use has", async () => {
      const first = await create("bot");
      const second = await create("bot");
      await expect(keys.revoke("bot", 1)).rejects.toMatchObject({ code: "conflict" });
      expect((await keys.find(first.secret))?.revoked).toBeUndefined();
      await keys.revoke(first.info.id, 1);
      expect(await keys.revoke("bot", 2)).toBe(true);
      expect(await keys.find(second.secret)).toMatchObject({ revoked: 2 });
      for (const name of ["bot", "nobody", "", "BOT", "%"]) expect(await keys.revoke(name, 3)).toBe(false);
    });

    it("takes an id for an id, even where another key is called so", async () => {
      const first = await create("bot");
      const second = await create(first.info.id);
      expect(await keys.revoke(first.info.id, 1)).toBe(true);
      expect((await keys.find(second.secret))?.revoked).toBeUndefined();
      // Nor does asking twice revoke the other.
      expect(await keys.revoke(first.info.id, 2)).toBe(false);
      expect((await keys.find(second.secret))?.revoked).toBeUndefined();
    });

    it("remembers its use at most once a minute", async () => {
      const { info } = await create("bot");
      const used = async () => (await keys.list())[0]?.used;
      expect(await used()).toBeUndefined();
      await keys.touch(info.id, 100_000);
      await keys.touch(info.id, 159_999);
      await keys.touch("key-x", 170_000);
      expect(await used()).toBe(100_000);
      await keys.touch(info.id, 160_000);
      expect(await used()).toBe(160_000);
      await keys.touch(info.id, 50_000);
      expect(await used()).toBe(160_000);
    });

    it("keeps every character of names and owners", async () => {
      for (const text of oddTexts) {
        const { secret } = await create(text, { owner: text });
        expect(await keys.find(secret)).toMatchObject({ name: text, owner: text });
        expect((await keys.list(text)).map((key) => key.name)).toEqual([text]);
      }
      for (const text of oddTexts) expect(await keys.revoke(text, 5)).toBe(true);
    });
  });
}
