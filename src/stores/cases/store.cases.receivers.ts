import { expect, it } from "vitest";
import type { IndexedFile, Store } from "../store.ts";
import { calledFrom, calls, declaring, go, method, unit } from "./scope.samples.ts";
import { type SampleUnit, sampleFile } from "./store.samples.ts";

/**
 * What a call on something means, by the types that are declared elsewhere: of fields, of results, by aliases, through
 * interfaces.
 */
export function receiverCases(store: () => Store): void {
  const write = (...files: IndexedFile[]) => store().write("me", { files, removed: [] });
  const called = calledFrom(store);

  it("links what is called on a field by the type that its class gives it, in whatever file that is", async () => {
    const javaFile = (path: string, units: SampleUnit[], ...imports: [string, string][]) =>
      sampleFile(path, units, { language: "java", imports });
    await write(
      javaFile("shop/Till.java", [unit("Till", "class"), method("Till", "count")]),
      javaFile("bank/Till.java", [unit("Till", "class"), method("Till", "count")]),
      javaFile("shop/Base.java", [declaring("Base", "class", "till@Till", "names@[]", "list@java.util.List")]),
      javaFile("shop/Shop.java", [
        { ...unit("Shop", "class"), links: [["extends", "Base"]] },
        method("Shop", "run", "this.till.count", "this.names.count", "this.list.count"),
        method("Shop", "other", "this.missing.count"),
      ]),
      javaFile("shop/User.java", [calls("caller", ":Shop#till.count"), calls("names", ":Shop#names.count")]),
    );
    expect(await called("shop/Shop.java", "Shop.run")).toEqual(["shop/Till.java::Till.count"]);
    expect(await called("shop/Shop.java", "Shop.other")).toEqual([]);
    expect(await called("shop/User.java")).toEqual(["shop/Till.java::Till.count"]);
    expect(await called("shop/User.java", "names")).toEqual([]);
  });

  it("links nothing where the type of a field is of a library, though only one type here has the method", async () => {
    await write(
      sampleFile("lease.go", [unit("Lease", "class"), method("Lease", "Reset")], go),
      sampleFile(
        "handler.go",
        [
          declaring("handler", "class", "ticker@time.Ticker", "lease@Lease"),
          method("handler", "tick", ":handler#ticker.Reset"),
          method("handler", "extend", ":handler#lease.Reset"),
        ],
        { ...go, imports: [["time", "time"]] },
      ),
    );
    expect(await called("handler.go", "handler.tick")).toEqual([]);
    expect(await called("handler.go", "handler.extend")).toEqual(["lease.go::Lease.Reset"]);
  });

  it("links a call through an interface to what implements it, and to nothing that only shares a name", async () => {
    await write(
      sampleFile("base/base.go", [declaring("Broker", "interface", "Close@", "Ping@")], go),
      sampleFile("rdb/rdb.go", [unit("RDB", "class"), method("RDB", "Close"), method("RDB", "Ping")], go),
      sampleFile("file/file.go", [unit("File", "class"), method("File", "Close")], go),
      sampleFile("app/app.go", [calls("caller", ":base.Broker.Close"), calls("other", ":base.Broker.Missing")], {
        ...go,
        imports: [["example.org/me/it/base", "base"]],
      }),
      sampleFile("a/Store.java", [unit("Store", "interface"), method("Store", "save")], { language: "java" }),
      sampleFile(
        "a/Disk.java",
        [{ ...unit("Disk", "class"), links: [["implements", "Store"]] }, method("Disk", "save")],
        { language: "java" },
      ),
      sampleFile("a/Game.java", [unit("Game", "class"), method("Game", "save")], { language: "java" }),
      sampleFile("a/Use.java", [calls("caller", ":Store.save")], { language: "java" }),
    );
    expect(await called("app/app.go")).toEqual(["rdb/rdb.go::RDB.Close"]);
    expect(await called("app/app.go", "other")).toEqual([]);
    expect(await called("a/Use.java")).toEqual(["a/Disk.java::Disk.save", "a/Store.java::Store.save"]);
  });

  it("links what is called on a function's result or through an alias of a type", async () => {
    const rust = { language: "rust" };
    await write(
      sampleFile(
        "src/state.rs",
        [
          unit("State", "class"),
          method("State", "groups"),
          declaring("Locked", "type", "@State"),
          declaring("open", "function", "@State"),
          unit("Other", "class"),
          method("Other", "groups"),
        ],
        rust,
      ),
      sampleFile("src/run.rs", [calls("caller", ":Locked.groups"), calls("opened", ":open().groups")], {
        ...rust,
        imports: [["crate::state", "Locked", "open"]],
      }),
    );
    expect(await called("src/run.rs")).toEqual(["src/state.rs::State.groups"]);
    expect(await called("src/run.rs", "opened")).toEqual(["src/state.rs::State.groups"]);
  });

  it("links what another crate of the workspace exports, by the name that its manifest gives it", async () => {
    const rust = { language: "rust" };
    const manifest = sampleFile("core/Cargo.toml", [{ ...unit("package"), text: '[package]\nname = "shop-core"' }]);
    await write(
      manifest,
      sampleFile("core/src/lib.rs", [], { ...rust, imports: [["self::till", "Till"]] }),
      sampleFile("core/src/till.rs", [unit("Till", "class"), method("Till", "count")], rust),
      sampleFile("app/src/till.rs", [unit("Till", "class"), method("Till", "count")], rust),
      sampleFile("app/src/main.rs", [calls("caller", "Till.count")], { ...rust, imports: [["shop_core", "Till"]] }),
      sampleFile("app/src/other.rs", [calls("caller", "Till.count")], { ...rust, imports: [["elsewhere", "Till"]] }),
    );
    expect(await called("app/src/main.rs")).toEqual(["core/src/till.rs::Till.count"]);
    expect(await called("app/src/other.rs")).toEqual([]);
  });

  it("links the members of an embedded type, and what an interface embeds", async () => {
    await write(
      sampleFile("a/base.go", [unit("Base", "class"), method("Base", "Load")], go),
      sampleFile(
        "a/server.go",
        [declaring("Server", "class", "Base@Base"), calls("caller", ":Server.Load", ":Server#Base.Load")],
        go,
      ),
      sampleFile(
        "b/repo.go",
        [declaring("Loader", "interface", "Load@"), declaring("Repo", "interface", "Loader@Loader", "Save@")],
        go,
      ),
      sampleFile("b/disk.go", [unit("Disk", "class"), method("Disk", "Load"), method("Disk", "Save")], go),
      sampleFile("b/use.go", [calls("caller", ":Repo.Load")], go),
    );
    expect(await called("a/server.go")).toEqual(["a/base.go::Base.Load"]);
    expect(await called("b/use.go")).toEqual(["b/disk.go::Disk.Load"]);
  });
}
