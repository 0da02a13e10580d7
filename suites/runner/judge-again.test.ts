import type { Failure, Verdict } from 'gatecheck-reports/report';
import { describe, expect, test } from 'vitest';
import { ForeignTraffic } from '../engine/foreign-traffic.ts';
import { noSlot } from '../engine/slot-watch.ts';
import { answeredByCode } from '../testing/sample-exchange.ts';
import { isDoubtful, judgeAgain, lookForOthers } from './judge-again.ts';
import type { JobResult } from './run-input.ts';

describe('a failed check that is rerun alone', () => {
  test('stays failed when only the second rerun fails', async () => {
    const { result, looks } = await look('fail', ['pass', 'fail']);
    expect([result.verdict, looks]).toEqual(['fail', 2]);
  });

  test.each<Verdict>(['pass', 'warn', 'fail'])(
    'that broke down takes the verdict %s of the look at which it did not',
    async (verdict) => {
      const { result } = await look('harness-error', ['harness-error', verdict]);
      expect(result.verdict).toBe(verdict);
      expect(result.evidence.notes[0]).toBe('it broke down beside others (seen at first), and not alone');
    },
  );

  test('ignores a failed rerun during which others used the account', async () => {
    const spoilt = await look('fail', ['fail', 'pass', 'pass'], 1);
    expect([spoilt.result.verdict, spoilt.looks]).toEqual(['flaky', 3]);
    const still = await look('fail', ['fail', 'pass', 'fail'], 1);
    expect([still.result.verdict, still.looks]).toEqual(['fail', 3]);
    const always = await look('fail', Array<Verdict>(5).fill('fail'), 5);
    expect([always.result.verdict, always.looks]).toEqual(['fail', 5]);
  });

  test('stays broken when it breaks down each time', async () => {
    const { result } = await look('harness-error', ['harness-error', 'harness-error']);
    expect(result).toMatchObject({ verdict: 'harness-error', failure: { actual: 'seen at first' } });
  });

  test('keeps its verdict when the rerun breaks down or is cut off', async () => {
    expect((await look('fail', ['harness-error'])).result.verdict).toBe('fail');
    const first = resultOf('fail', 'seen at first');
    const cutOff = { ...resultOf('untestable', ''), not_run: 'the budget of 10 exchanges is spent' };
    expect(await judgeAgain(first, { judge: () => Promise.resolve(cutOff), sightings: () => 0 })).toBe(first);
  });
});

test('a check whose calls got no slot takes the verdict of its rerun alone', async () => {
  const bare = resultOf('untestable', '');
  const first = { ...bare, evidence: { ...bare.evidence, missing: [noSlot] } };
  expect(isDoubtful(first)).toBe(true);
  const last = await judgeAgain(first, { judge: async () => resultOf('pass', ''), sightings: () => 0 });
  expect(last.verdict).toBe('pass');
  expect(last.evidence.notes[0]).toContain('no slot');
});

test('only failed or broken checks that were judged are rerun', () => {
  const all: Verdict[] = ['pass', 'warn', 'observed', 'untestable', 'fail', 'harness-error'];
  expect(all.filter((verdict) => isDoubtful(resultOf(verdict, '')))).toEqual(['fail', 'harness-error']);
  expect(isDoubtful({ ...resultOf('fail', ''), not_run: 'interrupted' })).toBe(false);
});

test.each([
  ['still takes the slot', 429, 'concurrency_exceeded', 1],
  ['has left', 400, 'invalid_param', 0],
])('a client that %s a moment after a failed rerun', async (_, status, code, sightings) => {
  const traffic = new ForeignTraffic();
  // A call of the run that ended just before the failure hides it from then on.
  traffic.begin()(answeredByCode(200));
  const client = { send: async () => answeredByCode(status, code) };
  await lookForOthers(client, 'sk-app-1', { traffic, signal: new AbortController().signal });
  expect(traffic.sightings).toBe(sightings);
});

async function look(
  first: Verdict,
  then: readonly Verdict[],
  metAt = 0,
): Promise<{ readonly result: JobResult; readonly looks: number }> {
  let looks = 0;
  const judge = async (): Promise<JobResult> => {
    const verdict = then[looks];
    if (verdict === undefined) throw new Error('one look too many');
    looks += 1;
    return resultOf(verdict, 'seen later');
  };
  const result = await judgeAgain(resultOf(first, 'seen at first'), {
    judge,
    // Foreign traffic occurs during each of the first reruns.
    sightings: () => Math.min(looks, metAt),
  });
  return { result, looks };
}

function resultOf(verdict: Verdict, actual: string): JobResult {
  return {
    id: 'chat.answer',
    title: 'an answer',
    area: 'CHAT',
    requirements: ['CHAT-001'],
    level: 'MUST',
    verdict,
    evidence: { cases: 1, exchanges: 1, cases_digest: '', notes: [], missing: [], property: null },
    duration_ms: 1,
    failure: { requirement: 'CHAT-001', aspect: 'answer', actual } as Failure,
    target: 'target',
  };
}
