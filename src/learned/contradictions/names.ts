import { productKind } from "../grounding/products.ts";
import type { ClauseToken } from "./clauses.ts";
import * as table from "./words.ts";

/** Kinds of which a project has one: "we use npm" says which. */
const oneAtATime = /^(packages js|formatter|hosting)$/;
/** On several of these the same thing runs at the same time. */
const manyAtATime = /^(system|chat|editor|shell|watching)$/;
/** Made, kept or run by one thing. */
const participle =
  /^(written|managed|built|hosted|stored|owned|maintained|generated|rendered|packaged|published|served|formatted|based|powered|handled|led|reviewed|approved|implemented|secured|signed|sent|tracked|documented|translated|provisioned|orchestrated|compiled|bundled|linted|run)$/;
const placing = /^(in|on|at|from|to|with|by|via|using|into|as|under|through)$/;

/** True when only one of two names can stand in its place: after "is", in "written in", or for one purpose. */
export function namesExclude(a: ClauseToken[], b: ClauseToken[], before: ClauseToken[], after: ClauseToken[]): boolean {
  const relation = before.at(-1)!;
  if ([...before, ...after].some(({ word }) => table.additive.has(word))) return false;
  const isSingle = before.some(({ word }) => table.single.has(word));
  const isDirect = relation.key === "be" || isSingle;
  const isName = (tokens: ClauseToken[]) => tokens.every(({ kind }) => kind === "name");
  const isPath = (tokens: ClauseToken[]) => tokens.length === 1 && tokens[0]!.kind === "path";
  if (isPath(a) && isPath(b)) return isDirect || placing.test(relation.key);
  if (!isName(a) || !isName(b)) return isSingle && a.length === 1 && b.length === 1 && isDirect;
  const [left, right] = [kindOf(a), kindOf(b)];
  const [role] = /^(for|as)$/.test(after[0]?.key ?? "") ? after.slice(1) : [];
  if (left === undefined && right === undefined) return unknownNames(a, b, before, isDirect, role);
  if (isDirect && (left === undefined || right === undefined)) return true;
  if (left === undefined || right === undefined) return false;
  if (role !== undefined && !table.broadRoles.has(role.word)) return broad(left) === broad(right);
  if (left !== right) return isDirect && broad(left) === broad(right);
  if (/^(use|uses)$/.test(relation.word)) return oneAtATime.test(left);
  if (manyAtATime.test(left) && !before.some(({ word }) => /^(based|written|built)$/.test(word))) return isDirect;
  return isDirect || placing.test(relation.key) || table.verbs.test(relation.word);
}

function kindOf(tokens: ClauseToken[]): string | undefined {
  return productKind(tokens.map(({ word }) => word).join("")) ?? productKind(tokens[0]!.word);
}

function broad(kind: string): string {
  return kind.split(" ")[0]!;
}

function unknownNames(
  a: ClauseToken[],
  b: ClauseToken[],
  before: ClauseToken[],
  isDirect: boolean,
  role: ClauseToken | undefined,
): boolean {
  const relation = before.at(-1)!;
  if (isDirect) return true;
  if (role !== undefined && /^(use|uses|using)$/.test(relation.word)) return !table.broadRoles.has(role.word);
  if (placing.test(relation.key) && participle.test(before.at(-2)?.word ?? "")) return true;
  // Hosts and regions that differ in their number: db-staging-1, db-staging-4.
  const shape = (tokens: ClauseToken[]) => tokens.map(({ word }) => word.replace(/\d+/g, "0")).join(" ");
  return placing.test(relation.key) && /\d/.test(a[0]!.word) && shape(a) === shape(b);
}
