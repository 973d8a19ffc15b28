import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder } from "../../tree/folder.cases.ts";
import { type CacheFolders, DescriptionCacheWriter, evictSegments, openDescriptionCache } from "./description-cache.ts";

function place(): CacheFolders {
  const all = join(folder(), "descriptions");
  return { all, folder: join(all, "one") };
}

function keep(where: CacheFolders, entries: Record<string, string>): string {
  const before = new Set(existsSync(where.folder) ? readdirSync(where.folder) : []);
  const writer = new DescriptionCacheWriter(where);
  for (const [key, text] of Object.entries(entries)) writer.add(key, Buffer.from(text));
  writer.finish();
  return join(where.folder, readdirSync(where.folder).find((name) => !before.has(name))!);
}

function read(where: CacheFolders, key: string): string | undefined {
  const cache = openDescriptionCache(where);
  const bytes = cache.read(key);
  cache.close();
  return bytes && Buffer.from(bytes).toString();
}

describe("cached descriptions", () => {
  it("are found by their keys in every segment, and closed to other users", () => {
    const where = place();
    const path = keep(where, { a: "first", b: "second" });
    expect([read(where, "a"), read(where, "b"), read(where, "c")]).toEqual(["first", "second", undefined]);
    expect([statSync(path).mode & 0o777, statSync(where.folder).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it("are absent where nothing was cached, or nothing can be", () => {
    expect(read(place(), "a")).toBeUndefined();
    const all = join(folder({ blocked: "a file" }), "blocked");
    const writer = new DescriptionCacheWriter({ all, folder: join(all, "one") });
    writer.add("a", Buffer.from("x"));
    writer.finish();
    expect(readFileSync(all, "utf8")).toBe("a file");
  });

  it("count as absent when they are cut short or changed", () => {
    const where = place();
    const changed = keep(where, { a: "aaaaaaaa" });
    const bytes = readFileSync(changed);
    bytes[2] = 0;
    writeFileSync(changed, bytes);
    expect(read(where, "a")).toBeUndefined();
    truncateSync(keep(where, { b: "bbbbbbbb" }), 9);
    writeFileSync(join(where.folder, "noise.seg"), "noise");
    expect(read(where, "b")).toBeUndefined();
  });

  it("are evicted least recently used first, together with what a killed run left", () => {
    const where = place();
    const paths = ["old", "used", "young"].map((key, age) => {
      mkdirSync(where.folder, { recursive: true });
      const path = keep(where, { [key]: key.repeat(100) });
      utimesSync(path, 1000 + age, 1000 + age);
      return path;
    });
    writeFileSync(join(where.folder, "1-2.part"), "half");
    utimesSync(join(where.folder, "1-2.part"), 1000, 1000);
    read(where, "old");
    evictSegments(where.all, statSync(paths[0]!).size + statSync(paths[2]!).size);
    expect(paths.map((path) => existsSync(path))).toEqual([true, false, true]);
    expect(readdirSync(where.folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });
});
