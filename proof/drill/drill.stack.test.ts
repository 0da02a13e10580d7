import type { DrillReport } from 'gatecheck-reports/drill/drill-report';
import { renderDrill } from 'gatecheck-reports/drill/page';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Profile } from '../../suites/profile/profile.ts';
import { type Stack, startStack } from '../../suites/stack/stack.ts';
import { patchFlags } from '../kill-matrix/patch.ts';
import { brokenGateways, type Lack } from './broken-gateways.ts';
import { drillOnce } from './drill-once.ts';

/** Short drills of the reference, and of gateways that lack one thing: each fails the threshold that is about it. */

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 1, moreGateways: true });
}, 120_000);
afterAll(() => stack.stop());

const drill = (profile: Profile, name: string, seconds: number): Promise<DrillReport> =>
  drillOnce(profile, name, { seed: 7, rate: 4, speed: 50, seconds });

const failing = (report: DrillReport): string[] =>
  report.thresholds.flatMap(({ text, holds }) => (holds === false ? [text] : []));

/** A machine with much else to do makes answers slow: times are judged elsewhere. */
const isTimed = (text: string): boolean => /^(p99|first chunk)/.test(text);

async function drillOf(lack: Lack, seconds: number): Promise<DrillReport> {
  const { scenario, patch } = brokenGateways[lack];
  const { nodeArgs, env } = patchFlags(patch);
  const gateway = await stack.addGateway(lack.replaceAll(' ', '-'), nodeArgs, env);
  try {
    return await drill(gateway.profile, scenario, seconds);
  } finally {
    await gateway.stop();
  }
}

describe('a drill of the reference', () => {
  it('meets the thresholds of a region that is down', { timeout: 300_000 }, async () => {
    const report = await drill(stack.profile, 'b4-one-region-down', 75);
    expect(failing(report).filter((text) => !isTimed(text))).toEqual([]);
    expect([report.measures.availability.value, report.measures.rescued.value]).toEqual([100, 100]);
    expect(report.measures.open.value).toBeGreaterThan(0);
    expect(report.measures.probe.value).toBeGreaterThan(25);
    expect(report.codes).toEqual([{ code: 'ok', calls: report.calls }]);
    const { sent } = report.tasks ?? { sent: 0 };
    expect(report.tasks).toEqual({ sent, accepted: sent, ended: sent, failed: 0, events: sent });
    expect(sent).toBeGreaterThan(20);
    const dead = report.channels.find(({ name }) => name === 'trio-beta');
    expect(dead?.failed).toBe(dead?.attempts);
    expect(dead?.left_alone.length).toBeGreaterThan(0);
    expect(report.phases).toMatchObject([{ name: 'outage', channels: '*-beta', from_s: 0, until_s: 75 }]);
    expect(renderDrill(report)).toContain('trio-beta');
  });

  it('opens in time, comes back, and charges nothing for failures when all are down', {
    timeout: 300_000,
  }, async () => {
    const report = await drill(stack.profile, 'b5-all-down', 150);
    expect(failing(report).filter((text) => !isTimed(text))).toEqual([]);
    expect(report.measures['cost of failures']).toEqual({ value: 0, why: null });
    expect(report.measures.recovery.value).toBeGreaterThan(1);
    expect(report.phases[0]).toMatchObject({ name: 'down', from_s: 0 });
  });
});

describe('a drill of a gateway', () => {
  it('without a breaker fails the thresholds about upstreams that are left alone', {
    timeout: 300_000,
  }, async () => {
    const report = await drillOf('no breaker', 55);
    expect(failing(report)).toEqual(expect.arrayContaining([...brokenGateways['no breaker'].fails]));
    expect(report.measures.open.value).toBe('never');
    expect(report.exit_code).toBe(1);
  });

  it('without a retry fails the threshold about availability', { timeout: 300_000 }, async () => {
    const report = await drillOf('no retry', 75);
    expect(failing(report)).toEqual([...brokenGateways['no retry'].fails]);
    expect(report.measures.rescued.value).toBe(0);
    expect(report.measures['most attempts'].value).toBe(1);
  });

  it('with endless retries fails the threshold about attempts of one call', {
    timeout: 300_000,
  }, async () => {
    const report = await drillOf('endless retries', 40);
    expect(failing(report)).toContain('most attempts <= 2');
  });

  it('that takes events for sent that never were fails the threshold about events', {
    timeout: 300_000,
  }, async () => {
    const report = await drillOf('no events', 10);
    expect(failing(report)).toContain('lost events = 0');
    expect(report.tasks?.ended).toBeGreaterThan(0);
    expect(report.measures['lost events'].value).toBe(report.tasks?.ended);
  });
});

it('does not measure what the profile does not declare, and says so', { timeout: 300_000 }, async () => {
  const { upstream, hooks } = stack.profile;
  if (upstream === undefined) throw new Error('the stack has upstreams');
  const { breaker: _, ...others } = upstream;
  const { ledger: __, ...fewer } = hooks;
  const { receiver: ___, ...webhooks } = stack.profile.webhooks;
  const poor = { ...stack.profile, webhooks, upstream: others, hooks: fewer };
  // Of fewer calls too large a share meets the dead region before it is known.
  const report = await drill(poor, 'b4-one-region-down', 40);
  expect(report.measures.open).toEqual({ value: null, why: 'upstream.breaker is not declared' });
  expect(report.measures['cost of failures'].why).toBe('hooks.ledger is not declared');
  expect(report.measures['lost events'].why).toBe('webhooks.receiver is not declared');
  expect(failing(report)).toEqual([]);
  expect(report.exit_code).toBe(3);
  expect(report.headline).toContain('open < 30 s (upstream.breaker is not declared)');
});
