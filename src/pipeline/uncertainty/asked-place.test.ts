import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { context } from "../../index.ts";

const body = (name: string) =>
  `def ${name}(request):\n    """Answers the request of a ${name}."""\n    return request\n`;
const tree = {
  "web/routing.py": body("route"),
  "web/responses.py": body("respond"),
  "web/requests.py": body("ask"),
  "web/middleware/gzip.py": body("gzip"),
  "docs/routing.md": "# Routing\n\nHow a request is routed.\n",
};
const ask = (query: string) => context({ query, path: folder(tree) });

describe("a query that is only a path", () => {
  it("says that there is no such file, names the nearest and begins with it", async () => {
    for (const query of ["web/rooting.py", "web/rooting.py:12", "what does web/rooting.py do?"]) {
      const { text, items, confidence } = await ask(query);
      expect(text, query).toMatch(/^\*No file web\/rooting\.py is indexed here; near: web\/routing\.py\./);
      expect(items[0]?.path, query).toBe("web/routing.py");
      expect(confidence, query).toBeLessThan(1 / 3);
    }
  });

  it("finds a file of that name in another folder", async () => {
    expect((await ask("server/gzip.py")).text).toContain(
      "No file server/gzip.py is indexed here; near: web/middleware/gzip.py.",
    );
  });

  it("names none where none is near", async () => {
    const { text, confidence } = await ask("web/sessions.py");
    expect(text).toMatch(/^\*No file web\/sessions\.py is indexed here\./);
    expect(confidence).toBeLessThan(1 / 3);
  });

  it("says nothing of a file that is there, or of a name that only looks like a file", async () => {
    for (const query of [
      "web/routing.py",
      "/srv/app/web/routing.py",
      "routing.py",
      "Node.js",
      "how are requests routed?",
    ])
      expect((await ask(query)).text, query).not.toContain("is indexed here");
  });

  it("says that a file is empty, and prints no empty block for it", async () => {
    const path = folder({ ...tree, "web/pool.py": "", "web/blank.py": "\n\n  \n" });
    for (const name of ["pool.py", "blank.py"]) {
      const { text, items } = await context({ query: `web/${name}`, path });
      expect(text).toMatch(new RegExp(`^\\*web/${name}: empty\\.`));
      expect(items.map((item) => item.path)).not.toContain(`web/${name}`);
    }
    const { text } = await context({ query: "pool route", path });
    expect(text).not.toContain("web/pool.py");
  });

  it("names the files of a folder", async () => {
    for (const query of ["web/", "./web/"])
      expect((await ask(query)).text, query).toMatch(
        /^\*web\/ is a folder: middleware\/gzip\.py, requests\.py, responses\.py, routing\.py\./,
      );
    expect((await ask("web/middleware")).text).toContain("web/middleware/ is a folder: gzip.py.");
    expect((await ask("web")).text).not.toContain("is a folder");
  });
});
