import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { failuresOf } from 'gatecheck-reports/failures-of';
import { renderHtml } from 'gatecheck-reports/html';
import type { Failure, Report } from 'gatecheck-reports/report';
import { browserPath, findingsIn, launch, nameOf, openPage } from 'gatecheck-reports/testing/browser';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Mutation } from '../suites/rewrite/mutation.ts';
import { startProxy } from '../suites/rewrite/proxy.ts';
import { loadRegister } from '../suites/rules/register.ts';
import { assembleReport } from '../suites/runner/assemble-report.ts';
import { type Execution, execute } from '../suites/runner/execute.ts';
import { preflight } from '../suites/runner/preflight.ts';
import { type Stack, startStack } from '../suites/stack/stack.ts';
import { plantedDefects, tenAtOnce, tenDefects } from './testing/ten-defects.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 8 });
});
afterAll(() => stack.stop());

async function judge(jobs: readonly string[], mutation: Mutation): Promise<Execution> {
  const { baseUrl: origin } = stack;
  const proxy = await startProxy((path) => ({ origin, path, mutation }));
  try {
    const { profile, models, mediaModels } = await preflight({ ...stack.profile, base_url: proxy.url });
    return await execute(
      {
        targets: [{ id: 'one', stack: 'main', pool: 'main', profile, models, mediaModels }],
        jobs: jobs.map((check) => ({ target: 'one', check })),
        ...{
          seed: 5,
          size: 'quick',
          path: null,
          livesOn: true,
          replayPrefix: '',
          judgeAgain: true,
        },
      },
      { concurrency: 4, bail: 0, signal: new AbortController().signal, onResult: () => undefined },
    );
  } finally {
    await proxy.close();
  }
}

describe('a gateway with ten defects', () => {
  let report: Report;
  beforeAll(async () => {
    const { results, faults } = await judge(Object.values(tenDefects), tenAtOnce());
    expect(faults).toEqual([]);
    report = assembleReport({
      target: { name: 'ten defects', base_url: stack.baseUrl, profile: null },
      ...{ waivers: [], shard: null, seed: 5, size: 'quick', startedAt: new Date(), durationMs: 1 },
      versions: { gatecheck: '0', node: '0', fast_check: '0' },
      ...{ command: 'npx gatecheck run', stopped: null, interrupted: false, knownCheckIds: [] },
      ...{ coveredIds: new Set<string>(), areas: new Set<string>(), register: loadRegister() },
      checks: results.map(({ target: _, ...result }) => result),
    });
  }, 180_000);

  it.each(plantedDefects())(
    'has the moment of $requirement $aspect in its timeline',
    ({ requirement, aspect }) => {
      const named = ({ requirement: rule, aspect: point }: Failure): string => `${rule} ${point}`;
      const all = report.checks.map((check) => failuresOf(check).map(named));
      expect(all.flat()).toContain(`${requirement} ${aspect}`);
      const found = report.checks
        .flatMap(failuresOf)
        .find((one) => named(one) === `${requirement} ${aspect}`);
      const { moment, ...lanes } = found?.timeline ?? expect.fail('no timeline');
      expect(moment.lane).toBe(aspect === 'none-unasked' ? 'receiver' : 'client');
      const row = lanes[moment.lane ?? 'client'].rows[moment.row ?? -1];
      expect(row?.role).toBe('shows');
      expect(moment.at_ms).toBeGreaterThanOrEqual(row?.from_ms ?? Number.POSITIVE_INFINITY);
      expect(lanes.upstream.no_source ?? lanes.receiver.no_source).toBeUndefined();
    },
  );

  it('shows both upstream attempts, a moved clock, and the earlier state of a task', () => {
    const of = (id: string) => report.checks.find((check) => check.id === id)?.failure?.timeline;
    const attempts =
      of('route.timeout.two-attempts')?.upstream.rows.filter(({ role }) => role === 'same') ?? [];
    expect(attempts.map(({ status, note }) => [status, note])).toEqual(
      Array(2).fill([null, 'as scripted, left by the gateway']),
    );
    const [first, second] = attempts;
    expect(second?.from_ms).toBeGreaterThan(first?.from_ms ?? Number.POSITIVE_INFINITY);
    const call = of('route.timeout.two-attempts')?.client.rows.find(({ role }) => role === 'shows');
    expect((call?.to_ms ?? 0) - (call?.from_ms ?? 0)).toBeGreaterThanOrEqual(59_000);
    const reads = of('state.terminal.final')?.client.rows.filter(({ role }) => role !== undefined) ?? [];
    expect(reads.map(({ role }) => role).slice(-2)).toEqual(['twin', 'shows']);
  });

  it('contains no secret of the profile', () => {
    const text = JSON.stringify(report);
    for (const { keys } of stack.profile.tenants.slice(0, 8)) expect(text).not.toContain(keys.K1);
  });

  it.skipIf(browserPath === '')(
    nameOf('is a page that opens from disk, without a complaint, a request or a serious finding, under 5 MB'),
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'gatecheck-ten-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const text = renderHtml(report);
      writeFileSync(join(folder, 'report.html'), text);
      expect(Buffer.byteLength(text)).toBeLessThan(5_000_000);
      const browser = await launch();
      onTestFinished(() => browser.close());
      const address = pathToFileURL(join(folder, 'report.html')).href;
      const { page, complaints, asked } = await openPage(browser, address);
      const cards = await page.locator('article.failure').all();
      const causes = await Promise.all(cards.map((card) => card.getAttribute('data-cause')));
      const named = plantedDefects().map(({ requirement, aspect }) => `${requirement} ${aspect}`);
      expect(causes.flatMap((cause) => cause?.split('|') ?? [])).toEqual(expect.arrayContaining(named));
      expect(await page.getByText('here the rule broke').count()).toBe(cards.length);
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect(await findingsIn(page)).toEqual([]);
      expect([complaints, asked]).toEqual([[], [address]]);
    },
    120_000,
  );
});
