import type { DrillReport } from 'gatecheck-reports/drill/drill-report';
import type { MeasureName } from 'gatecheck-reports/drill/measures';
import { renderDrill } from 'gatecheck-reports/drill/page';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { drillReportOf } from '../suites/drill/drill-report-of.ts';
import { readDrillScenario } from '../suites/drill/drill-scenario.ts';
import { runDrill } from '../suites/drill/run-drill.ts';
import type { Profile } from '../suites/profile/profile.ts';
import { type Stack, startStack } from '../suites/stack/stack.ts';
import { type Patch, patchFlags } from './kill-matrix/patch.ts';

const attempts = { file: 'gateway/routing/attempt.ts', find: 'const maxAttempts = 2;' };

/** Gateways that lack one thing which callers need in an outage, and the thresholds that show it. */
const broken: readonly {
  readonly lack: string;
  readonly scenario: string;
  readonly seconds: number;
  readonly patch: Patch;
  readonly fails: readonly string[];
  readonly seen: Partial<Record<MeasureName, number | 'never'>>;
}[] = [
  {
    lack: 'a breaker',
    ...{ scenario: 'b5-all-down', seconds: 55, fails: ['attempts < 0.7', 'open < 20 s'] },
    patch: {
      file: 'gateway/routing/breaker.ts',
      find: 'this.#openUntilMs = nowMs + forMs;',
      replace: 'if (forMs > 0) return;',
    },
    seen: { open: 'never' },
  },
  {
    lack: 'a retry',
    ...{ scenario: 'b4-one-region-down', seconds: 75, fails: ['availability >= 99.9 %', 'rescued >= 90 %'] },
    patch: { ...attempts, replace: 'const maxAttempts = 1;' },
    seen: { rescued: 0, 'most attempts': 1 },
  },
  {
    lack: 'an end of its retries',
    ...{ scenario: 'b5-all-down', seconds: 40, fails: ['most attempts <= 2'] },
    patch: { ...attempts, replace: 'const maxAttempts = 1_000_000;' },
    seen: {},
  },
  {
    lack: 'events',
    ...{ scenario: 'b4-one-region-down', seconds: 10, fails: ['lost events = 0'] },
    patch: {
      file: 'gateway/webhooks/attempt.ts',
      find: "if (isRefused(event, outbound)) return { status: null, failure: 'blocked', askedMs: null };",
      replace: 'if (secrets.length >= 0) return { status: 200, failure: null, askedMs: null };',
    },
    seen: {},
  },
];

/** Short drills of the reference, and of gateways that lack one thing: each must fail the matching threshold. */

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 1, moreGateways: true });
}, 120_000);
afterAll(() => stack.stop());

let drills = 0;

async function drill(profile: Profile, name: string, seconds: number): Promise<DrillReport> {
  drills += 1;
  const run = {
    ...{ scenario: readDrillScenario(name), profile, seed: 7, rate: 4, speed: 50, forMs: seconds * 1_000 },
    ...{ run: `test${drills}`, signal: new AbortController().signal, say: () => undefined },
  };
  const startedAt = new Date();
  const outcome = await runDrill(run);
  const command = 'npx gatecheck drill';
  return drillReportOf({ run, outcome, command, startedAt, endedAt: new Date(), versions: {} });
}

const failing = (report: DrillReport): string[] =>
  report.thresholds.flatMap(({ text, holds }) => (holds === false ? [text] : []));

/** What fails, or would fail on a machine that is not too busy for it. */
const missing = (report: DrillReport): string[] =>
  report.thresholds.flatMap(({ text, holds, seen }) =>
    holds === false || (holds === null && seen.includes('machine too busy')) ? [text] : [],
  );

/** A busy machine slows answers down, so these thresholds are tested elsewhere. */
const isTimed = (text: string): boolean => /^(p99|first chunk)/.test(text);

describe('a drill of the reference', () => {
  it('meets the thresholds while a region is down', { timeout: 300_000 }, async () => {
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

  it('opens breakers in time, recovers, and charges no failures when all regions are down', {
    timeout: 300_000,
  }, async () => {
    const report = await drill(stack.profile, 'b5-all-down', 150);
    expect(failing(report).filter((text) => !isTimed(text))).toEqual([]);
    expect(report.measures['cost of failures']).toEqual({ value: 0, why: null });
    expect(report.measures.recovery.value).toBeGreaterThan(1);
    expect(report.phases[0]).toMatchObject({ name: 'down', from_s: 0 });
  });
});

describe('a drill of a gateway that lacks', () => {
  it.each(broken)('$lack fails $fails', { timeout: 300_000 }, async ({ lack, seconds, fails, ...at }) => {
    const { nodeArgs, env } = patchFlags(at.patch);
    const gateway = await stack.addGateway(lack.replaceAll(' ', '-'), nodeArgs, env);
    onTestFinished(() => gateway.stop());
    const report = await drill(gateway.profile, at.scenario, seconds);
    expect(missing(report)).toEqual(expect.arrayContaining([...fails]));
    for (const [name, value] of Object.entries(at.seen))
      expect(report.measures[name as MeasureName].value, name).toBe(value);
    expect(report.exit_code).toBe(1);
  });
});

it('reports why it does not measure what the profile does not declare', { timeout: 300_000 }, async () => {
  const { upstream, hooks } = stack.profile;
  if (upstream === undefined) throw new Error('the stack has upstreams');
  const { breaker: _, ...others } = upstream;
  const { ledger: __, ...fewer } = hooks;
  const { receiver: ___, ...webhooks } = stack.profile.webhooks;
  const poor = { ...stack.profile, webhooks, upstream: others, hooks: fewer };
  // With fewer calls, too large a share would reach the dead region before its breaker opens.
  const report = await drill(poor, 'b4-one-region-down', 40);
  expect(report.measures.open).toEqual({ value: null, why: 'upstream.breaker is not declared' });
  expect(report.measures['cost of failures'].why).toBe('hooks.ledger is not declared');
  expect(report.measures['lost events'].why).toBe('webhooks.receiver is not declared');
  expect(failing(report)).toEqual([]);
  expect(report.exit_code).toBe(3);
  expect(report.headline).toContain('open < 30 s (upstream.breaker is not declared)');
});
