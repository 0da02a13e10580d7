/** A count as upstreams give it: a whole number that a double holds exactly, never a text. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
