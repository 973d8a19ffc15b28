import { expect, it } from "vitest";
import type { Dropped } from "../../document.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import type { Unique } from "../unique.ts";
import { foldSiblings } from "./siblings.ts";

function method(path: string, outer: string, signature = "escape(name: string): string {", signals = {}): Unique {
  const name = "escape";
  const item = { id: `${path}::${outer}`, source: "code", kind: "method", name, signature, path };
  const citation = { path, startLine: 12 };
  return {
    item: { ...item, qualifiedName: `${path}::${outer}.${name}` },
    signals,
    citation,
    score: 0.5,
  } as unknown as Unique;
}

const adapters = ["Mysql", "Postgres", "Sqlite", "Mssql", "Oracle"].map((name) =>
  method(`src/${name.toLowerCase()}.ts`, `${name}Adapter`),
);

function fold(all: Unique[], question: string): { paths: string[]; notes: string[]; duplicates: Dropped[] } {
  const duplicates: Dropped[] = [];
  const kept = foldSiblings(all, analyseQuery(question), duplicates);
  return { paths: kept.map(({ item }) => item.path), notes: kept.flatMap(({ notes = [] }) => notes), duplicates };
}

it("keeps the best three implementations of a method and names the others beside the first", () => {
  const { paths, notes, duplicates } = fold(adapters, "how are identifiers escaped");
  expect(paths).toEqual(["src/mysql.ts", "src/postgres.ts", "src/sqlite.ts"]);
  expect(notes).toEqual(["also implemented in src/mssql.ts:12, src/oracle.ts:12"]);
  expect(duplicates.map(({ by }) => by)).toEqual([adapters[0]!.item.id, adapters[0]!.item.id]);
});

it("keeps one that the question is about", () => {
  const { paths } = fold(adapters, "how are identifiers escaped for Oracle");
  expect(paths).toEqual(["src/mysql.ts", "src/postgres.ts", "src/sqlite.ts", "src/oracle.ts"]);
});

it("keeps what is asked for by name, what differs in its signature, and overloads of one class", () => {
  const named = adapters.map((each) => ({ ...each, signals: { named: 1 } }));
  expect(fold(named, "what does escape do").paths).toHaveLength(5);
  const others = adapters.map((each, i) =>
    method(each.item.path, "Adapter", `escape(${"name, ".repeat(i)}): string {`),
  );
  expect(fold(others, "how are identifiers escaped").paths).toHaveLength(5);
  const overloads = Array.from({ length: 5 }, () => method("src/mysql.ts", "MysqlAdapter"));
  expect(fold(overloads, "how are identifiers escaped").paths).toHaveLength(5);
});
