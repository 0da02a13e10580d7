const size = process.env.GATECHECK_TEST_SIZE;

/** Whether a test run takes all cases where a usual one samples: `GATECHECK_TEST_SIZE=whole`. */
export const isWhole = size === 'whole';

/** Whether it shows every check to fail, and not a twelfth of them: `GATECHECK_TEST_SIZE=proof` or `whole`. */
export const provesAll = isWhole || size === 'proof';
