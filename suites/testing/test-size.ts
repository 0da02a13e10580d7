/** Whether a test run takes all cases where a usual one samples: `GATECHECK_TEST_SIZE=whole`, as in CI. */
export const isWhole = process.env.GATECHECK_TEST_SIZE === 'whole';
