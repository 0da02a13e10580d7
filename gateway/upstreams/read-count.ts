/** More tokens than any context window or answer holds: larger counts are not believed, nor billed (fault M10). */
const maxCount = 1_000_000_000;

/**
 * Reads a token count: a whole number, which some upstreams write as a string or with a fraction of zero (fault
 * P8). Null for anything else.
 */
export function countIn(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,12}(?:\.0+)?$/.test(value) ? Number(value) : value;
  const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= maxCount;
  return isCount ? count : null;
}

/** The same for an optional count: a missing one is 0. */
export function optionalCountIn(value: unknown): number | null {
  return countIn(value ?? 0);
}

/** Tokens of thinking, for usage that has them: what is no count, or more than all tokens of the answer, is left out. */
export function reasoningIn(value: unknown, completion: number): { reasoningTokens?: number } {
  const count = optionalCountIn(value);
  return count === null || count === 0 || count > completion ? {} : { reasoningTokens: count };
}

/** Whether a total is present and contradicts its parts; only the parts are believed (fault M10). */
export function isOtherTotal(total: unknown, sum: number): boolean {
  return total !== undefined && total !== null && countIn(total) !== sum;
}
