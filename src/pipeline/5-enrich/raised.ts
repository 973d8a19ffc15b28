import type { Item } from "../../item.ts";

const errorKinds = new Set<Item["kind"]>(["class", "type", "enum", "constant", "field", "interface"]);
const errorName = /(?:Error|Exception|Throwable|Failure|Fault|Panic|Errc?)(?![a-z])|^(?:Err|E|ERR_?)(?=[A-Z])/;

/** Whether an item is a kind of error, by its name or by its base class. */
export function isError({ kind, name, signature }: Item): boolean {
  return errorKinds.has(kind) && (errorName.test(name) || (kind === "class" && errorName.test(signature ?? "")));
}

const raisesBefore = /(?:\b(?:throws?|raise|panic!?|Err|reject|bail!?|abort|fail|return|yield)\b|=>|\?\?|\|\|)[^;]*$/;
const isCaught = /\b(?:catch|except|rescue|on|instanceof|is_a|raises|throws|errors\.(?:Is|As))\b|[=!]=/;

/** Whether a line raises this error, and does not catch, declare or compare it. */
export function raises(line: string, name: string): boolean {
  const at = line.indexOf(name);
  if (at < 0) return false;
  const before = line.slice(0, at);
  return raisesBefore.test(before) && !isCaught.test(before);
}
