/** More tokens than any window or any answer holds: nobody is billed for what is beyond it (fault M10). */
const maxCount = 1_000_000_000;

/**
 * A count as upstreams give it: a whole number, as some write it in a text or with a fraction of zero (fault P8). Null
 * for anything else.
 */
export function countIn(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,12}(?:\.0+)?$/.test(value) ? Number(value) : value;
  const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= maxCount;
  return isCount ? count : null;
}

/** The same for a count that may be missing: that means none. */
export function optionalCountIn(value: unknown): number | null {
  return countIn(value ?? 0);
}

/** Whether a total is there and tells something else than its parts; only the parts are believed (fault M10). */
export function isOtherTotal(total: unknown, sum: number): boolean {
  return total !== undefined && total !== null && countIn(total) !== sum;
}
