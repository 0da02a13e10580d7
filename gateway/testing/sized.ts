/**
 * A number of cases. `npm test` uses the smaller one if cases are slow and alike; `GATECHECK_TEST_SIZE=whole` runs them all.
 */
export function sized(usual: number, whole: number): number {
  return process.env.GATECHECK_TEST_SIZE === 'whole' ? whole : usual;
}
