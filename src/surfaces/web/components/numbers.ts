const whole = new Intl.NumberFormat("en-US");

/** 12345 -> 12,345 */
export function count(value: number): string {
  return whole.format(value);
}

/** "1 item", "2 items". */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** 0.41, always two places, so that columns align. */
export function decimal(value: number, places = 2): string {
  return value.toFixed(places);
}

export function milliseconds(value: number): string {
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}
