/** The few colours that operations' terminal texts use. */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Paint = Record<keyof typeof codes, (text: string) => string>;

/** Painters that leave text as it is when colour is off. */
export function paint(colour: boolean): Paint {
  const painter =
    ([on, off]: readonly [number, number]) =>
    (text: string) =>
      colour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return Object.fromEntries(Object.entries(codes).map(([name, pair]) => [name, painter(pair)])) as Paint;
}
