import type { Verdict } from 'gatecheck-reports/report';
import { expect, test, vi } from 'vitest';
import { loadRegister } from '../rules/register.ts';
import { emptyResult } from './empty-result.ts';
import { execute, type RunnableJobs } from './execute.ts';
import type { JobResult, RunTotals } from './run-input.ts';

const register = loadRegister();

function resultOf(id: string, verdict: Verdict): JobResult {
  const facts = { id, title: id, requirements: ['CHAT-001'], kind: 'example', needs: [] } as const;
  return { ...emptyResult(facts, register, verdict, []), target: 'one' };
}

/** Jobs with the names of their verdicts, and `breaks`. */
class Scripted implements RunnableJobs {
  readonly begun: string[] = [];
  exchanges = 7;
  isClosed = false;

  get totals(): RunTotals {
    return { spent: { exchanges: this.exchanges, paid: 0, tokens: 0, usd: null }, notices: ['seen'] };
  }

  async judge({ check }: { readonly check: string }): Promise<JobResult> {
    this.begun.push(check);
    if (check === 'breaks') throw new Error('oh');
    if (check === 'hangs') await new Promise(() => undefined);
    for (let minutes = 0; check === 'slow' && minutes < 40; minutes += 1) {
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      this.exchanges += 1;
    }
    return resultOf(check, check === 'slow' ? 'pass' : (check as Verdict));
  }

  everyResults(): Promise<[]> {
    return Promise.resolve([]);
  }

  judgeRedAgain(): Promise<JobResult[]> {
    return Promise.resolve(this.begun.includes('fail') ? [resultOf('fail', 'flaky')] : []);
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

async function run(checks: readonly string[], how: { concurrency?: number; bail?: number }) {
  const jobs = new Scripted();
  const collected = await execute(
    {
      ...{ targets: [], jobs: checks.map((check) => ({ target: 'one', check })), seed: 1, size: 'quick' },
      ...{ path: null, livesOn: false, replayPrefix: '', judgeAgain: true },
    },
    {
      concurrency: 8,
      bail: 0,
      signal: new AbortController().signal,
      onResult: () => undefined,
      ...how,
    },
    () => Promise.resolve(jobs),
  );
  expect(jobs.isClosed).toBe(true);
  return { jobs, collected, verdicts: collected.results.map(({ verdict }) => verdict) };
}

test('reports a job that throws as a fault of the runner, and runs the others', async () => {
  const { verdicts, collected } = await run(['breaks', 'pass'], {});
  expect([verdicts, collected.faults]).toEqual([['pass'], ['breaks @ one: oh']]);
});

test('starts no further job after `bail` failures, and reruns none', async () => {
  const { jobs, verdicts } = await run(['fail', 'fail', 'pass', 'pass'], { concurrency: 1, bail: 2 });
  expect([jobs.begun, verdicts]).toEqual([
    ['fail', 'fail'],
    ['fail', 'fail'],
  ]);
});

test('a check may be slow while anything is sent, and is stuck when nothing is', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const ended = run(['slow', 'hangs'], {});
  await vi.advanceTimersByTimeAsync(56 * 60_000);
  vi.useRealTimers();
  const { verdicts, collected } = await Promise.race([
    ended,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('stuck')), 1_000)),
  ]);
  expect(verdicts).toEqual(['pass']);
  expect(collected.faults).toEqual(['hangs @ one: no result, and no check has sent anything for 900000 ms']);
});
