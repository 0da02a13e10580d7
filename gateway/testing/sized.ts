/**
 * A number of cases: `npm test` makes do with the smaller one where each costs time and all are alike;
 * `GATECHECK_TEST_SIZE=whole` takes them all.
 */
export function sized(usual: number, whole: number): number {
  return process.env.GATECHECK_TEST_SIZE === 'whole' ? whole : usual;
}
