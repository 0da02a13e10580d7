import fc from 'fast-check';

/**
 * Properties draw the same cases in each run, so that a red test is red again for whoever looks into it.
 * `GATECHECK_TEST_SEED=<integer>` draws others; what a new seed finds is worth a test of its own.
 */
fc.configureGlobal({ seed: Number(process.env.GATECHECK_TEST_SEED ?? 20_261_122) });
