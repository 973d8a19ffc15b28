import { expect, it } from "vitest";
import { isTooling } from "./tooling.ts";

it.each([
  "scripts/release.mjs",
  "misc/write_fake_manifests.py",
  "rack-protection/Rakefile",
  "setup.py",
  "vite.config.ts",
  "Resources/completion.zsh",
  "docs/_sass/_style.scss",
  ".github/scripts/label.js",
])("takes %s for what builds, packages or styles the project", (path) => {
  expect(isTooling(path)).toBe(true);
});

it.each([
  "django/contrib/auth/hashers.py",
  "src/tools/compiler.ts",
  "lib/scripts.rb",
  "src/config.ts",
  "src/build/plan.go",
])("takes %s for the product's own code", (path) => {
  expect(isTooling(path)).toBe(false);
});
