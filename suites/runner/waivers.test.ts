import { sampleReport } from 'gatecheck-reports/testing/sample-report';
import { expect, it } from 'vitest';
import { verdictWithWaivers } from './waivers.ts';

const failed = sampleReport().checks.find(({ verdict }) => verdict === 'fail');
if (failed?.failure === undefined) throw new Error('the sample has a failure');
const { requirement, aspect } = failed.failure;

it.each([
  ['waived', {}],
  ['waived', { until: '2027-03-31' }],
  ['fail', { until: '2027-03-30' }],
  ['fail', { aspect: 'another' }],
])('a failure during a run is %s for a waiver with %o', (verdict, more) => {
  const waivers = [{ id: requirement, aspect, reason: 'known', ...more }];
  expect(verdictWithWaivers(failed, waivers, '2027-03-31')).toBe(verdict);
});
