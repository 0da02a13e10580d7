const size = process.env.GATECHECK_TEST_SIZE;

/** Whether a test run tries all cases where a usual one samples: `GATECHECK_TEST_SIZE=whole`. */
export const isWhole = size === 'whole';

/**
 * Whether a test run proves that every check can fail, instead of a twentieth of them: `GATECHECK_TEST_SIZE=proof` or `whole`.
 */
export const provesAll = isWhole || size === 'proof';
