import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Task } from '../services/tasks/task.ts';
import type { CheckStep, StartStep } from '../services/tasks/task-work.ts';
import { silentLog } from '../testing/store/test-stores.ts';
import {
  ended,
  type FakeWork,
  failedEnding,
  fakeWork,
  later,
  limits,
  queuedTask,
  stillRunning,
  success,
  unclearStep,
} from '../testing/tasks/sample-tasks.ts';
import { bench, expectLegal, last } from '../testing/tasks/step-bench.ts';
import { endTask } from './end-task.ts';
import { type StepParts, takeStep } from './take-step.ts';

const anyStart: fc.Arbitrary<StartStep> = fc.oneof(
  fc.constant(later),
  fc.constant({ ...later, channelId: 'ch' }),
  fc.constant(ended(failedEnding)),
);
const anyCheck: fc.Arbitrary<CheckStep> = fc.oneof(
  fc.constant(stillRunning),
  fc.constant(unclearStep),
  fc.constant(ended(failedEnding)),
);

describe('a task', () => {
  it('is started, polled until it is done, settled, and only then SUCCESS', async () => {
    const { work, kept, run } = bench();
    work.checks = [stillRunning, stillRunning];
    const seen: string[] = [];
    work.before = async (what, task) => {
      seen.push(`${what} ${task.status}`);
      if (what === 'settle') expect(last(kept)).toMatchObject({ status: 'RUNNING', ending: success });
    };
    expect(await run()).toEqual([40, 80, 160]);
    expect(seen).toEqual([
      'start QUEUED',
      'check RUNNING',
      'check RUNNING',
      'check RUNNING',
      'settle RUNNING',
    ]);
    expect(last(kept)).toMatchObject({
      status: 'SUCCESS',
      ending: success,
      channelId: 'ch',
      nativeId: 'job of t',
    });
    expectLegal(kept);
  });

  it('passes only through legal states, ends once, and is settled by its ending, whatever the answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStart, { maxLength: 4 }),
        fc.array(anyCheck, { maxLength: 6 }),
        async (starts, checks) => {
          const { work, kept, run } = bench();
          Object.assign(work, { starts: [...starts], checks: [...checks] });
          await run();
          expectLegal(kept);
          expect(last(kept).endedAtMs).not.toBeNull();
          expect([...work.settled]).toEqual([['req_t', last(kept).ending]]);
        },
      ),
    );
  });

  it('reaches the same end wherever its process dies, with one job and one charge', async () => {
    /** Dies after this many effects; only what was stored by then remains. */
    const live = async (kept: Task[], work: FakeWork, effects: number): Promise<boolean> => {
      let left = effects;
      const effect = (): void => {
        left -= 1;
        if (left < 0) throw new Error('killed');
      };
      const { parts } = bench({}, work);
      const keep = async (task: Task): Promise<void> => {
        effect();
        kept.push(task);
        effect();
      };
      const mortal = {
        ...parts,
        note: keep,
        save: ({ task }: { readonly task: Task }) => keep(task),
        work: {
          ...work,
          start: async (...given: Parameters<FakeWork['start']>) => {
            const step = await work.start(...given);
            effect();
            return step;
          },
          check: async (task: Task) => {
            const step = await work.check(task);
            effect();
            return step;
          },
          settle: async (...given: Parameters<FakeWork['settle']>) => {
            await work.settle(...given);
            effect();
          },
        },
        // A dead process does not continue after a failure.
        log: {
          ...silentLog,
          error: () => {
            throw new Error('killed');
          },
        },
      };
      try {
        for (;;) {
          const taken = await takeStep(last(kept), { before: 0, dueAtMs: null }, mortal);
          if ('ending' in taken) {
            await endTask({ holder: 'gw', fence: 1 }, taken.task, taken.ending, mortal);
            return true;
          }
          await keep(taken.task);
        }
      } catch {
        return false;
      }
    };
    for (let effects = 0; ; effects += 1) {
      const work = fakeWork();
      const starts: string[] = [];
      // The upstream has one job per task, however often it is started.
      work.before = async (what, task) => {
        if (what === 'start') starts.push(task.channelId ?? '');
      };
      const kept = [queuedTask('t', Date.now())];
      const isOver = await live(kept, work, effects);
      if (last(kept).endedAtMs === null) expect(await live(kept, work, 1_000)).toBe(true);
      expectLegal(kept);
      expect(last(kept)).toMatchObject({ status: 'SUCCESS', nativeId: 'job of t' });
      expect([...work.jobs.keys()]).toEqual(['t']);
      expect([...work.settled.values()]).toEqual([success]);
      // Anything sent before the death went to a channel that was already stored.
      expect(new Set(starts.slice(1))).toEqual(new Set(starts.length > 1 ? ['ch'] : []));
      if (isOver) break;
      expect(effects).toBeLessThan(50);
    }
  });
});

describe('starting a job', () => {
  it('is retried at growing intervals, each recorded, until no attempt is left', async () => {
    const { work, kept, run } = bench();
    work.starts = [later, { ...later, afterMs: 700 }, later];
    expect(await run()).toEqual([50, 700]);
    expect(kept.map((task) => [task.status, task.startTries, task.channelId])).toEqual([
      ['QUEUED', 0, null],
      ['QUEUED', 0, 'ch'],
      ['QUEUED', 1, null],
      ['QUEUED', 1, 'ch'],
      ['QUEUED', 2, null],
      ['QUEUED', 2, 'ch'],
      ['RUNNING', 3, null],
      ['FAILED', 3, null],
    ]);
  });

  it('keeps a channel that may have the job, and always the channel of the parent', async () => {
    const unclear = bench();
    unclear.work.starts = [{ ...later, channelId: 'ch' }];
    await unclear.run(1);
    expect(last(unclear.kept).channelId).toBe('ch');
    const chained = bench({ parents: ['p'], channelId: 'of the parent' });
    chained.work.starts = [later];
    await chained.run(1);
    expect(last(chained.kept).channelId).toBe('of the parent');
  });

  it('counts a gateway failure as an attempt, and ends as internal_error', async () => {
    const { work, kept, run } = bench();
    work.before = async (what) => {
      if (what === 'start') throw new TypeError('a bug');
    };
    await run();
    expect(last(kept).ending).toMatchObject({ status: 'FAILED', error: { code: 'internal_error' } });
    expect([...work.settled.keys()]).toEqual(['req_t']);
  });

  it('leaves a task as last stored when its channel cannot be stored', async () => {
    const { work, kept, parts } = bench();
    const failing: StepParts = { ...parts, note: () => Promise.reject(new Error('no database')) };
    await expect(takeStep(last(kept), { before: 0, dueAtMs: null }, failing)).rejects.toThrow('no database');
    expect(kept).toHaveLength(1);
    expect(work.jobs.size).toBe(0);
  });
});

describe('polling a job', () => {
  it('doubles its wait up to a limit, or waits as long as the upstream requests', async () => {
    const { work, run } = bench({ nativeId: 'job', status: 'RUNNING' });
    work.checks = [
      stillRunning,
      stillRunning,
      stillRunning,
      stillRunning,
      stillRunning,
      { kind: 'running', afterMs: 5_000 },
    ];
    expect(await run()).toEqual([80, 160, 320, 400, 400, 5_000]);
  });

  it('gives up after a number of failures in a row, and resets the count after an answer', async () => {
    const { work, kept, run } = bench({ nativeId: 'job', status: 'RUNNING' });
    work.checks = [unclearStep, unclearStep, stillRunning, unclearStep, unclearStep, unclearStep];
    await run();
    expect(kept.map((task) => task.pollTries)).toEqual([0, 1, 2, 0, 1, 2, 3, 3]);
    expect(last(kept).ending).toEqual(failedEnding);
  });
});

describe('the deadline of a task', () => {
  it('cuts waits short and ends the task as EXPIRED, settled without charge', async () => {
    const { clock, work, kept, step } = bench({ nativeId: 'job', status: 'RUNNING' });
    work.checks = [{ kind: 'running', afterMs: 50_000 }];
    await clock.advance(limits.deadline_ms - 1_000);
    expect(await step({ before: 9, dueAtMs: null })).toBeLessThanOrEqual(1_000);
    await clock.advance(1_000);
    await step({ before: 10, dueAtMs: null });
    expect(last(kept).status).toBe('EXPIRED');
    expect(work.settled.get('req_t')).toEqual({ status: 'EXPIRED' });
    expectLegal(kept);
  });

  it.each(['start', 'check'] as const)(
    'does not wait for a %s that hangs, and discards its result',
    async (hanging) => {
      const { clock, work, kept, step } = bench(
        hanging === 'check' ? { nativeId: 'job', status: 'RUNNING' } : {},
      );
      const hang = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      work.before = (what) => {
        if (what !== hanging) return Promise.resolve();
        reached.resolve();
        return hang.promise;
      };
      const taken = step({ before: 0, dueAtMs: null });
      await reached.promise;
      await clock.advance(limits.deadline_ms);
      await taken;
      const before = kept.length;
      expect(last(kept)).toMatchObject({ status: 'EXPIRED' });
      hang.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      expect(kept).toHaveLength(before);
      expectLegal(kept);
    },
  );

  it('ends a task that had no step before its deadline', async () => {
    const { work, kept, run } = bench({ deadlineAtMs: Date.now() - 1 });
    await run();
    expect(kept.map((task) => task.status)).toEqual(['QUEUED', 'RUNNING', 'EXPIRED']);
    expect(work.jobs.size).toBe(0);
  });
});
