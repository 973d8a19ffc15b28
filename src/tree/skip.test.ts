import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reasonByContent } from "./content.ts";
import { reasonByPath, reasonBySize } from "./skip.ts";

describe("a path alone", () => {
  it.each([
    ["binary", "a.png lib/x.so docs/a.PDF font.woff2 conf/locale/de/django.mo .DS_Store"],
    ["data", "conf/locale/de/django.po a.csv map.geojson icon.svg x.xliff debug.log"],
    ["lock-file", "package-lock.json web/yarn.lock Cargo.lock poetry.lock go.sum Gemfile.lock pnpm-lock.yaml"],
    [
      "secret",
      ".env deploy/.env.production server.pem id_rsa .netrc a.p12 .aws/credentials secrets.yml service-account-x.json auth.json web/.npmrc Auth.JSON .claude/.credentials.json gcp-credentials.json oauth_creds.json",
    ],
    [
      "generated",
      "a.pb.go x_pb2.py x_pb2_grpc.py a.js.map zz_generated.deepcopy.go __snapshots__/a.js a.snap Form.Designer.cs App.xcodeproj/project.pbxproj",
    ],
    ["minified", "jquery.min.js a-min.css"],
    ["vendored", "node_modules/a/index.js web/bower_components/x.js .venv/lib/a.py lib/site-packages/x.py"],
  ])("says %s", (reason, paths) => {
    for (const path of paths.split(" ")) expect([path, reasonByPath(path)]).toEqual([path, reason]);
  });

  it("says nothing about ordinary files, whatever they are about", () => {
    const ordinary = `src/env.ts .env.example .env.sample secrets.ts credentials.py auth.ts src/auth.json.ts credentials-form.json npmrc.md lock.ts generated.py vendor/a.ts binary.md
      package.json Makefile LICENSE README a/key.ts pem.go map.js src/min.js.md minify.js bin key log node src/db .gitignore .github/workflows/ci.yml tokens.rs`;
    for (const path of ordinary.split(/\s+/)) expect([path, reasonByPath(path)]).toEqual([path, undefined]);
  });

  it("tells a file that describes or translates signing in from one that signs in", () => {
    for (const path of ["src/commands/auth.json", "web/locales/en/auth.json", "api/schemas/Auth.JSON"])
      expect([path, reasonByPath(path)]).toEqual([path, undefined]);
    for (const path of ["auth.json", "web/auth.json", ".codex/auth.json", "src/commands/credentials.json"])
      expect([path, reasonByPath(path)]).toEqual([path, "secret"]);
  });

  it("tells the settings of cargo from what it keeps", () => {
    for (const path of [".cargo/config.toml", "crates/a/.cargo/config.toml", ".cargo/config"])
      expect([path, reasonByPath(path)]).toEqual([path, undefined]);
    for (const path of [".cargo/registry/src/a/config.toml", ".cargo/registry/a.rs", "node_modules/.cargo/config.toml"])
      expect([path, reasonByPath(path)]).toEqual([path, "vendored"]);
    expect(reasonByPath(".cargo/credentials.toml")).toBeDefined();
  });

  it("with a size says what is too large, and what is data rather than configuration", () => {
    expect(reasonBySize("a.py", 1024 * 1024 + 1, 1024 * 1024)).toBe("too-large");
    expect(reasonBySize("a.py", 1024 * 1024, 1024 * 1024)).toBeUndefined();
    expect(reasonBySize("tsconfig.json", 2000, 1024 * 1024)).toBeUndefined();
    expect(reasonBySize("cities.json", 200_000, 1024 * 1024)).toBe("data");
    expect(reasonBySize("src/changes/changes.xml", 268_212, 1024 * 1024)).toBeUndefined();
    expect(reasonBySize("CHANGELOG.yml", 268_212, 1024 * 1024)).toBeUndefined();
    expect(reasonBySize("price-changes.xml", 268_212, 1024 * 1024)).toBe("data");
    expect(reasonBySize("tests/fixtures/changes.xml", 20_000, 1024 * 1024)).toBe("data");
    expect(reasonBySize("tests/fixtures/reply.json", 20_000, 1024 * 1024)).toBe("data");
    expect(reasonBySize("tests/fixtures/code.py", 20_000, 1024 * 1024)).toBeUndefined();
  });
});

const bytes = (text: string) => new TextEncoder().encode(text);

describe("content", () => {
  it("with NUL bytes or mostly strange ones is binary", () => {
    expect(reasonByContent("a", new Uint8Array([80, 75, 3, 4, 0, 0]))).toBe("binary");
    expect(reasonByContent("a", new Uint8Array(500).fill(0x9c))).toBe("binary");
  });

  it("in any script is text, also in old encodings and in UTF-16", () => {
    expect(reasonByContent("a.txt", bytes("καλημέρα 日本語 🎉\n"))).toBeUndefined();
    expect(reasonByContent("a.txt", Buffer.from("Liberté, égalité, fraternité: déjà vu\n", "latin1"))).toBeUndefined();
    expect(
      reasonByContent("a.txt", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("hello", "utf16le")])),
    ).toBeUndefined();
    expect(reasonByContent("a.txt", new Uint8Array())).toBeUndefined();
  });

  it("that is valid UTF-8 without control characters is never binary, wherever the sample is cut", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
        fc.integer({ min: 8180, max: 8192 }),
        (text, length) => {
          const printable = text.replace(/[\p{Cc}]/gu, "x");
          expect(reasonByContent("a.md", bytes("y".repeat(length) + printable))).toBeUndefined();
        },
      ),
    );
  });

  it("that says it is generated is generated", () => {
    for (const head of [
      "// Code generated by protoc-gen-go. DO NOT EDIT.\npackage x\n",
      "/*\n * @generated by a tool\n */\n",
      "# This file is automatically generated by cargo.\n# It is not intended: do not edit.\n",
      "<!-- Generated by X from y.json; do not modify -->\n",
    ]) {
      expect([head, reasonByContent("a.go", bytes(head))]).toEqual([head, "generated"]);
    }
  });

  it("that only mentions generating is not", () => {
    for (const text of [
      'const marker = "Code generated by x. DO NOT EDIT.";\n',
      "# The password is automatically generated and mailed to the user.\n",
      "// Generated columns are supported.\n",
      `${"x = 1\n".repeat(50)}// @generated\n`,
    ]) {
      expect([text, reasonByContent("a.py", bytes(text))]).toEqual([text, undefined]);
    }
  });

  it("in endless lines is minified, except prose", () => {
    const endless = "var a=1;".repeat(2000);
    expect(reasonByContent("a.js", bytes(endless))).toBe("minified");
    expect(reasonByContent("a.js", bytes(`${"let a = 1;\n".repeat(20_000)}${endless}`))).toBeUndefined();
    expect(reasonByContent("a.md", bytes("word ".repeat(2000)))).toBeUndefined();
    expect(reasonByContent("a.md", bytes("word ".repeat(30_000)))).toBe("minified");
  });
});
