/**
 * How far before and after a declared time of expiry to judge, ms. Real time passes while the clock is moved, on a
 * busy machine over half a minute.
 */
export function expiryMarginMs(declaredMs: number): number {
  return Math.min(60_000, declaredMs / 5);
}
