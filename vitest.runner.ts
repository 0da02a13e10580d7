import { TestRunner } from 'vitest';

type Suite = Parameters<TestRunner['onBeforeRunSuite']>[0];

/**
 * Leaves out files that would begin after `GATECHECK_TEST_UNTIL`, Unix seconds. CI has a bound that slow machines would break;
 * the output ends with the names of these files.
 */
export default class PunctualRunner extends TestRunner {
  override async onBeforeRunSuite(suite: Suite): Promise<void> {
    const until = Number(process.env.GATECHECK_TEST_UNTIL ?? Number.POSITIVE_INFINITY);
    if ('filepath' in suite && Date.now() / 1000 > until) {
      suite.mode = 'skip';
      Object.assign(suite.meta, { isLate: true });
    }
    await super.onBeforeRunSuite(suite);
  }
}
