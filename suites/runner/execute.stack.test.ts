import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { failuresOf } from '../../reports/failures-of.ts';
import { renderHtml } from '../../reports/html.ts';
import type { Failure, Report } from '../../reports/report.ts';
import { browserPath, findingsIn, launch, nameOf, openPage } from '../../reports/testing/browser.ts';
import type { Mutation } from '../mutation/mutation.ts';
import { startProxy } from '../proof/proxy.ts';
import { plantedDefects, tenAtOnce, tenDefects } from '../proof/testing/ten-defects.ts';
import { loadRegister } from '../rules/register.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { assembleReport } from './assemble-report.ts';
import { Collected } from './collected.ts';
import { executeHere } from './execute-here.ts';
import { executeInWorker } from './execute-in-worker.ts';
import { preflight } from './preflight.ts';
import type { JobResult } from './run-input.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 8 });
});
afterAll(() => stack.stop());

const checks = [
  'auth.header.missing',
  'resp.finish.stop',
  'chat.field.temperature',
  'sse.content.equals-plain',
];

/** A gateway that never names the stop sequence as the reason for the end of an answer. */
const wrongEnd = (body: Buffer): Buffer =>
  Buffer.from(body.toString().replace('"finish_reason":"stop"', '"finish_reason":"length"'));

const oneDefect: Mutation = { answer: (answer) => ({ ...answer, body: wrongEnd(answer.body) }) };

async function judge(
  run: typeof executeHere | typeof executeInWorker,
  { jobs, mutation }: { readonly jobs: readonly string[]; readonly mutation: Mutation } = {
    jobs: checks,
    mutation: oneDefect,
  },
): Promise<Collected> {
  const { baseUrl: origin } = stack;
  const proxy = await startProxy((path) => ({ origin, path, mutation }));
  try {
    const { profile, models, mediaModels } = await preflight({ ...stack.profile, base_url: proxy.url });
    const collected = new Collected(() => undefined);
    await run(
      {
        targets: [{ id: 'one', stack: 'main', pool: 'main', profile, models, mediaModels }],
        jobs: jobs.map((check) => ({ target: 'one', check })),
        ...{
          seed: 5,
          size: 'quick',
          path: null,
          livesOn: true,
          replayPrefix: '',
          width: 4,
          judgeAgain: true,
        },
      },
      collected,
      { atOnce: 4, bail: 0, signal: new AbortController().signal },
    );
    return collected;
  } finally {
    await proxy.close();
  }
}

/** What a report says of a check besides times and ids. */
function essence({ id, verdict, evidence, failure }: JobResult): object {
  const { cases, exchanges, cases_digest, missing, notes } = evidence;
  const { requirement, aspect, expected } = failure ?? {};
  return { id, verdict, cases, exchanges, cases_digest, missing, notes, requirement, aspect, expected };
}

describe('a few checks', () => {
  it('are judged in this process as in the worker of the test runner', async () => {
    const [worker, here] = [await judge(executeInWorker), await judge(executeHere)];
    const shown = ({ results }: Collected): object[] =>
      results.map(essence).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
    expect(here.faults).toEqual([]);
    expect(here.results.map(({ verdict }) => verdict).toSorted()).toEqual(['fail', 'fail', 'pass', 'pass']);
    expect(shown(here)).toEqual(shown(worker));
    expect(here.spent?.exchanges).toBe(worker.spent?.exchanges);
  }, 120_000);
});

describe('a gateway with ten defects', () => {
  let report: Report;
  beforeAll(async () => {
    const planted = { jobs: Object.values(tenDefects), mutation: tenAtOnce() };
    const { results, faults } = await judge(executeHere, planted);
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

  it('shows both attempts at the upstream, a moved clock, and what a task had been before', () => {
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

  it('keeps no secret of the profile', () => {
    const text = JSON.stringify(report);
    for (const { keys } of stack.profile.lanes.slice(0, 8)) expect(text).not.toContain(keys.K1);
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
      expect(await page.getByText('here the rule broke').count()).toBeGreaterThanOrEqual(10);
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect(await findingsIn(page)).toEqual([]);
      expect([complaints, asked]).toEqual([[], [address]]);
    },
    120_000,
  );
});
