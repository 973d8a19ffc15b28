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

/** 1234567 -> "1.2 MB". */
export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** 12345 -> "12.3k": where there is little room. */
export function short(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 1_000_000 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)}${unit}`;
}
