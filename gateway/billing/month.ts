/** The calendar month of a time in UTC: `2026-11`. Quotas are counted by month. */
export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}
