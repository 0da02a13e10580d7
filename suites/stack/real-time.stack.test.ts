import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readReport, runCli } from '../cli/testing/run-cli.ts';
import { upBeside } from '../cli/testing/up.ts';
import { loadProfile } from '../profile/load-profile.ts';
import { isWhole } from '../testing/test-size.ts';

/** Short times that the test can wait for, which a deployment without a clock hook must declare. */
const timeoutMs = 1_000;
const coolDownMs = '2000,4000';

const times = ['--no-clock', '--timeout-ms', String(timeoutMs), '--cool-down-ms', coolDownMs];
const { folder, target } = upBeside('real-time', times);

it('declares the short times of the stack, and no clock', () => {
  const { upstream, hooks } = loadProfile(target, {});
  expect(upstream).toMatchObject({
    first_byte_timeout_ms: timeoutMs,
    breaker: { cool_down_ms: [2_000, 4_000], window_ms: 4_000 },
  });
  expect(hooks.clock).toBeUndefined();
});

// Eight breaker timelines take half a minute of waiting, so only a whole run includes them.
it('judges breaker, timeouts and recovery of such a stack by waiting', async () => {
  const out = join(folder, 'report');
  const usual = 'route.recovery,route.timeout,route.takeover.timeout,route.full,route.outage';
  const only = isWhole ? `${usual},route.breaker` : usual;
  const { code } = await runCli(['run', '--target', target, '--out', out, '--only', only, '--seed', '3']);
  const { checks } = readReport(out);
  // Nothing but what no waiting can show is left out.
  const others = checks.filter(({ verdict }) => verdict !== 'pass');
  expect(others.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'route.timeout.in-time not-applicable',
  ]);
  const timelines = checks.find(({ id }) => id === 'route.breaker.timelines');
  expect(timelines === undefined ? 'none' : timelines.evidence.cases >= 8).toBe(isWhole ? true : 'none');
  expect(code).toBe(0);
}, 180_000);
