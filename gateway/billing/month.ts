/** The calendar month in UTC that a time falls into: `2026-11`. Quotas are counted by it. */
export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}
