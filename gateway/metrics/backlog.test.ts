import { afterEach, describe, expect, it, vi } from 'vitest';
import { TestClock } from '../clock.ts';
import { newEvent, startWebhooks } from '../testing/started-webhooks.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { fakeWork, limits, newTask } from '../testing/tasks/sample-tasks.ts';
import { holdFor, TasksBench } from '../testing/tasks/tasks-bench.ts';
import { type Kept, readKept } from './backlog.ts';

describe.each(storeKinds)('the backlog on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);
  const bench = new TasksBench();
  afterEach(async () => {
    await bench.close();
    vi.useRealTimers();
  });

  it('is empty at first, then counts due work and its age', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const clock = new TestClock();
    const later = (ms: number): Promise<Kept> => readKept(store.db, clock.now() + ms);
    const none = { open: 0, due: 0, oldestDueMs: 0 };
    expect(await later(0)).toEqual({
      backlogs: [
        { kind: 'tasks', ...none },
        { kind: 'events', ...none },
      ],
      holds: 0,
    });
    await holdFor(store.db, 'req_1');
    const work = fakeWork();
    const { begun } = bench.stopAt('start', work);
    const tasks = await bench.open({ db: store.db, work, clock, limits });
    await tasks.submit(newTask('t1', clock.now()));
    await begun;
    // Closing the webhooks leaves the event without a process.
    const webhooks = startWebhooks(store, { clock, limits: { schedule_ms: [5_000] } });
    await webhooks.add([newEvent('t1', 'https://example.com/hook', clock.now())]);
    await webhooks.close();
    expect(await later(4_000)).toEqual({
      backlogs: [
        { kind: 'tasks', ...none, open: 1 },
        { kind: 'events', ...none, open: 1 },
      ],
      holds: 1,
    });
    // As after the end of the process that held it.
    await store.db
      .updateTable('tasks')
      .set({ holder: null, due_at: new Date(clock.now()) })
      .execute();
    expect((await later(12_000)).backlogs).toEqual([
      { kind: 'tasks', open: 1, due: 1, oldestDueMs: 12_000 },
      { kind: 'events', open: 1, due: 1, oldestDueMs: 7_000 },
    ]);
  });
});
