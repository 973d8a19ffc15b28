import type { Reference } from "./extraction.ts";
import { receiverBefore } from "./receivers.ts";
import { ownEntry, type Rules } from "./rules.ts";
import { childAs, none, type SyntaxTree, textOf } from "./tree.ts";

/** A reference and its offset. `isPath`: its receiver is a module or type, never a variable (`task::run()`). */
export type PlacedReference = Reference & { at: number; isPath?: boolean };

const capitalised = /^\p{Lu}[\p{L}\p{N}_]*\p{Ll}/u;

export function addCall(
  tree: SyntaxTree,
  node: number,
  callee: string,
  rules: Rules,
  mentions: PlacedReference[],
): void {
  const called = callee === "previous" ? previousSibling(tree, tree.parents[node]!) : member(tree, node, callee);
  const nameNode = lastName(tree, called, rules);
  if (nameNode === none) return;
  // JavaScript's private members are units without their `#`.
  const name = textOf(tree, nameNode).replace(/^#/, "");
  if (rules.notCalls?.has(name)) return;
  const isElement = rules.elements?.includes(tree.typeNames[tree.types[node]!]!);
  if (name !== "" && (!isElement || capitalised.test(name)))
    mentions.push({
      kind: "calls",
      name,
      receiver: receiverBefore(tree.text, tree.starts[nameNode]!),
      at: tree.starts[node]!,
      isPath: tree.text[tree.starts[nameNode]! - 1] === ":",
    });
}

/** Adds a name that is a call without receiver, arguments or brackets. */
export function addBareCall(tree: SyntaxTree, node: number, rules: Rules, mentions: PlacedReference[]): void {
  const name = textOf(tree, node);
  if (!rules.notCalls?.has(name)) mentions.push({ kind: "calls", name, at: tree.starts[node]! });
}

/** Limit of a chain of applications (Haskell nests a node for each): a longer one is not code. */
const longestChain = 64;

/** The node of the last name in `a.b.c`, or `none`. */
function lastName(tree: SyntaxTree, from: number, rules: Rules): number {
  let node = from;
  for (let steps = 0; node !== none && steps < longestChain; steps++) {
    const type = tree.typeNames[tree.types[node]!]!;
    if (rules.names.includes(type) || rules.types?.includes(type)) return node;
    const role = ownEntry(rules.members, type);
    if (role === undefined) return none;
    node = member(tree, node, role);
  }
  return none;
}

function member(tree: SyntaxTree, node: number, role: string): number {
  if (role === "*") return tree.after[node]! > node + 1 ? node + 1 : none;
  return role === "last" ? lastChild(tree, node) : childAs(tree, node, role);
}

function lastChild(tree: SyntaxTree, node: number): number {
  let last = none;
  for (let child = node + 1; child < tree.after[node]!; child = tree.after[child]!) last = child;
  return last;
}

function previousSibling(tree: SyntaxTree, node: number): number {
  const parent = node === none ? none : tree.parents[node]!;
  if (parent === none) return none;
  let previous = none;
  for (let child = parent + 1; child < node; child = tree.after[child]!) previous = child;
  return previous;
}

/** Built-in types: a reference to them links to nothing. */
const primitive =
  /^(?:string|error|bool|byte|rune|any|comparable|void|char|Self|u?int(?:8|16|32|64|ptr)?|float(?:32|64)|complex(?:64|128)|u?int\d+_t|u?intptr_t|s?size_t)$/;

export function addName(
  tree: SyntaxTree,
  node: number,
  isType: boolean | undefined,
  mentions: PlacedReference[],
): void {
  const first = tree.text.charCodeAt(tree.starts[node]!);
  if (!isType && first >= 97 && first <= 122) return;
  const name = textOf(tree, node);
  if (!primitive.test(name) && ((isType && name.length > 1) || capitalised.test(name)))
    mentions.push({
      kind: "references",
      name,
      receiver: receiverBefore(tree.text, tree.starts[node]!),
      at: tree.starts[node]!,
    });
}

export function addHeritage(
  tree: SyntaxTree,
  node: number,
  kind: "extends" | "implements",
  rules: Rules,
  mentions: PlacedReference[],
): void {
  const end = tree.after[node]!;
  for (let inner = node; inner < end; ) {
    const type = tree.typeNames[tree.types[inner]!]!;
    if (inner !== node && (rules.notHeritage?.includes(type) || ownEntry(rules.heritage ?? {}, type))) {
      inner = tree.after[inner]!;
      continue;
    }
    const nameNode = lastName(tree, inner, rules);
    const name = textOf(tree, nameNode);
    if (name !== "") {
      const refined = rules.interfaceName?.test(name) ? "implements" : (rules.heritageKind?.(tree, inner) ?? kind);
      mentions.push({
        kind: refined,
        name,
        receiver: receiverBefore(tree.text, tree.starts[nameNode]!),
        at: tree.starts[inner]!,
      });
      inner = tree.after[inner]!;
    } else inner++;
  }
}
