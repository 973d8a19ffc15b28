/** Text in columns, as help has it. Escape sequences of colours take no width. */

export type HelpRow = [left: string, right: string];

const widestLeft = 34;
const width = 100;

/** Two columns; a long left side takes a line of its own, a long right side is wrapped under itself. */
export function rows(pairs: HelpRow[]): string[] {
  const leftWidth = Math.min(widestLeft, Math.max(0, ...pairs.map(([text]) => visibleLength(text))));
  return pairs.flatMap(([text, right]) => {
    const wrapped = wrap(right, Math.max(20, width - leftWidth - 4));
    const indent = " ".repeat(leftWidth + 4);
    const rest = wrapped.slice(1).map((line) => indent + line);
    if (visibleLength(text) > leftWidth) return [`  ${text}`, indent + wrapped[0], ...rest];
    return [`  ${text}${" ".repeat(leftWidth - visibleLength(text) + 2)}${wrapped[0]}`, ...rest];
  });
}

export function wrap(text: string, columns = width): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1)!;
    if (last !== "" && visibleLength(last) + 1 + visibleLength(word) > columns) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

function visibleLength(text: string): number {
  return text.replace(/\u001b\[\d+m/g, "").length;
}
