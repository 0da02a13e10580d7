import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allChecks } from '../suites/checks/all-checks.ts';
import { missingFacts } from '../suites/engine/has-fact.ts';
import { minimalProfile } from '../suites/profile/load-profile.ts';
import { type Proxy as Relay, startProxy } from '../suites/rewrite/proxy.ts';
import { loadRegister } from '../suites/rules/register.ts';
import { concurrencyOf } from '../suites/runner/concurrency.ts';
import { type Execution, execute } from '../suites/runner/execute.ts';
import type { Around } from '../suites/runner/jobs.ts';
import { preflight } from '../suites/runner/preflight.ts';
import { selectForRun } from '../suites/runner/select.ts';
import { type Stack, startStack } from '../suites/stack/stack.ts';
import { isWhole } from '../suites/testing/test-size.ts';
import { OneAtATime } from './examine/reach/find-reach.ts';

/** Areas with concurrent calls, abandoned streams and tasks. */
const areas = 'SSE,TASK,JRNY,lim.slot,chat.pairs,resp.id';

/** Time in which a relay notices a disconnected client, and time to wait for late requests, in ms. */
const goneMs = 1_000;
const lateMs = 30;

/** A relay that delays each answer and counts the requests in flight. */
class Counting {
  under = 0;
  most = 0;
  seen = 0;

  async start(origin: string): Promise<Relay> {
    return startProxy((path) => {
      this.seen += 1;
      this.under += 1;
      this.most = Math.max(this.most, this.under);
      return { origin, path, mutation: { delayMs: 20 }, onOver: () => (this.under -= 1) };
    });
  }
}

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 1 });
});
afterAll(() => stack.stop());

/** Judges the stack behind the relay, given only URL and key. */
async function judge(relay: Relay, around?: Around): Promise<Execution> {
  const profile = minimalProfile(relay.url, stack.profile.keys.K1);
  const { models, mediaModels } = await preflight(profile);
  const only = isWhole ? null : areas;
  const checks = selectForRun(allChecks, loadRegister(), { only, exclude: null, ids: null, shard: null });
  const jobs = checks
    .filter(({ needs }) => missingFacts(needs, profile).length === 0)
    .map(({ id }) => ({ target: 'one', check: id }));
  return execute(
    {
      targets: [{ id: 'one', stack: 'main', pool: 'main', profile, models, mediaModels }],
      ...{ jobs, seed: 5, size: 'quick', path: null, livesOn: false, replayPrefix: '' },
    },
    {
      concurrency: concurrencyOf(profile),
      bail: 0,
      ...(around && { around }),
      onResult: () => undefined,
      signal: new AbortController().signal,
    },
  );
}

function expectGreen({ results, faults }: Execution, { seen, most }: Counting): void {
  expect(faults).toEqual([]);
  expect(results.length).toBeGreaterThan(20);
  expect(results.filter(({ verdict }) => verdict === 'fail' || verdict === 'harness-error')).toEqual([]);
  expect(seen).toBeGreaterThan(200);
  expect(most).toBe(stack.profile.cap.value - 1);
}

it('with one key at most cap minus one requests are in flight, even with concurrent checks', async () => {
  const counting = new Counting();
  const relay = await counting.start(stack.baseUrl);
  const execution = await judge(relay);
  await relay.close();
  expectGreen(execution, counting);
}, 900_000);

it('no request outlives its check', async () => {
  const counting = new Counting();
  const relay = await counting.start(stack.baseUrl);
  const outliving: string[] = [];
  const around = new OneAtATime(async ({ check }) => {
    for (let waited = 0; counting.under > 0 && waited < goneMs; waited += 5) await wait(5);
    const before = counting.seen;
    await wait(lateMs);
    if (counting.under > 0 || counting.seen > before) outliving.push(check);
  });
  const execution = await judge(relay, around);
  await relay.close();
  expectGreen(execution, counting);
  expect(outliving).toEqual([]);
}, 900_000);
