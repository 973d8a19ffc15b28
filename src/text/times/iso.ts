/** A moment as every surface tells it: `2026-01-31T09:30:00.000Z`. */
export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
