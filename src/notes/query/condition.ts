import { DossierError } from "../../errors.ts";

/** The test on a field. `present` and `absent` take no operand. */
type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "contains" | "present" | "absent";

export type Condition = {
  /** The field's name as written. */
  field: string;
  operator: Operator;
  operand: string;
};

const signs: readonly [sign: string, operator: Operator][] = [
  ["!=", "!="],
  ["<>", "!="],
  ["<=", "<="],
  [">=", ">="],
  ["==", "="],
  ["=", "="],
  ["<", "<"],
  [">", ">"],
  ["~", "contains"],
];
/** An operator in words, which ends the field's name. */
const wordOperator = /\s+(?:contains\s+\S.*|(?:is\s+)?(?:present|absent|set|unset|missing|empty))$/is;
const absentWords = /^(?:is\s+)?(?:absent|unset|missing|empty)$/i;
const presentWords = /^(?:is\s+)?(?:present|set)$/i;

/**
 * Parses `Status=open`, `Due<2026-12-01`, `Owner~ada`, `Owner contains ada`, `Due present` and `Due absent`; `Due`
 * alone means `Due present`. A name or a value that contains an operator must be quoted.
 */
export function parseCondition(input: string): Condition {
  const { name, rest } = splitName(input.trim());
  const field = name.trim();
  const parsed = field === "" ? undefined : readOperator(rest);
  if (!parsed) throw unreadable(input);
  const { operator, operand } = parsed;
  if (operand !== "" || operator === "present" || operator === "absent") return { field, operator, operand };
  // An empty operand asks whether there is a value.
  if (operator === "=") return { field, operator: "absent", operand };
  if (operator === "!=") return { field, operator: "present", operand };
  throw unreadable(input);
}

function splitName(text: string): { name: string; rest: string } {
  const quoted = /^(["'])(.+?)\1\s*(.*)$/s.exec(text);
  if (quoted) return { name: quoted[2]!, rest: quoted[3]! };
  const sign = text.search(/!=|[<>=~]/);
  const word = wordOperator.exec(text)?.index ?? -1;
  // The first operator counts: a value may contain further ones.
  const at = sign < 0 ? word : word < 0 ? sign : Math.min(sign, word);
  return at < 0 ? { name: text, rest: "" } : { name: text.slice(0, at), rest: text.slice(at).trim() };
}

function readOperator(rest: string): Pick<Condition, "operator" | "operand"> | undefined {
  if (rest === "" || presentWords.test(rest)) return { operator: "present", operand: "" };
  if (absentWords.test(rest)) return { operator: "absent", operand: "" };
  const [sign, operator] = signs.find(([each]) => rest.startsWith(each)) ?? [];
  if (sign !== undefined) return { operator: operator!, operand: unquoted(rest.slice(sign.length).trim()) };
  const [, contained] = /^contains\s+(\S.*)$/is.exec(rest) ?? [];
  return contained === undefined ? undefined : { operator: "contains", operand: unquoted(contained.trim()) };
}

function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}

function unreadable(input: string): DossierError {
  const quoted = JSON.stringify(input.length > 60 ? `${input.slice(0, 60)}…` : input);
  return new DossierError(
    "bad-input",
    `${quoted} is no condition on a field. Write Status=open, Status!=done, "Due<2026-12-01", Owner~ada, "Due present" or "Due absent".`,
  );
}

/** The condition in the syntax that `parseCondition` reads. */
export function conditionWords({ field, operator, operand }: Condition): string {
  if (operator === "present" || operator === "absent") return `${field} ${operator}`;
  return operator === "contains" ? `${field}~${operand}` : `${field}${operator}${operand}`;
}
