import { describe, expect, it } from "vitest";
import { isDelegate } from "./delegates.ts";

const isPython = (text: string, signature: string) =>
  isDelegate(text.split("\n"), "get_or_create", { signature, language: "python" });

describe("delegates", () => {
  it("are overrides that add a little to what their parent class does", () => {
    const signature = "def get_or_create(self, **kwargs):";
    const short = `    ${signature}
        kwargs[self.field.name] = self.instance
        db = router.db_for_write(self.model)
        return super().using(db).get_or_create(**kwargs)`;
    expect(isPython(short, signature)).toBe(true);
    const wrapped = `    ${signature}
        """Not a statement."""
        obj, created = super(Manager, self).get_or_create(
            **kwargs
        )
        # Only a comment.
        if created:
            self.add(obj)
        return obj, created`;
    expect(isPython(wrapped, signature)).toBe(true);
  });

  it("are functions of one or two statements that call another one of their name", () => {
    const go = ["// Watches.", "func WatchConfig() { v.WatchConfig() }"];
    expect(isDelegate(go, "WatchConfig", { signature: "func WatchConfig()", language: "go" })).toBe(true);
    const java = ["public <T> Adapter<T> adapter(Type type) {", "  return adapter(type, NONE);", "}"];
    expect(
      isDelegate(java, "adapter", { signature: "public <T> Adapter<T> adapter(Type type)", language: "java" }),
    ).toBe(true);
    const ruby = ["def save(options)", "  super", "end"];
    expect(isDelegate(ruby, "save", { signature: "def save(options)", language: "ruby" })).toBe(true);
  });

  it("call the parent class by the word of their language, not by that of another", () => {
    const body = (call: string) => ["void save(int a) {", "  x();", "  y();", `  ${call}.save(a);`, "}"];
    const isOf = (call: string, language: string) =>
      isDelegate(body(call), "save", { signature: "void save(int a)", language });
    expect(isOf("base", "csharp")).toBe(true);
    expect(isOf("base", "java")).toBe(false);
    expect(isOf("super", "java")).toBe(true);
  });

  it("are not functions that do the work", () => {
    const signature = "def get_or_create(self, **kwargs):";
    const work = `    ${signature}
        try:
            return self.get(**kwargs), False
        except self.model.DoesNotExist:
            return self.create(**kwargs), True`;
    expect(isPython(work, signature)).toBe(false);
    const recursive = `    ${signature}
        a = 1
        b = 2
        return self.get_or_create(a + b)`;
    expect(isPython(recursive, signature)).toBe(false);
    expect(isPython(`    ${signature}\n        return forget_or_create(1)`, signature)).toBe(false);
  });
});
