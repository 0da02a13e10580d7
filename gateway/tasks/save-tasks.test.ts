import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Task, TaskEnding } from '../services/tasks/task.ts';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { failedEnding, newTask, noEvents, queuedTask, success } from '../testing/tasks/sample-tasks.ts';
import { saveTasks } from './save-tasks.ts';
import { newRow } from './stored-task.ts';

const own = 'gw_own';
const atMs = Date.UTC(2026, 10, 10);

describe.each(storeKinds)('a task write on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);
  beforeEach(async () => {
    await store.db
      .insertInto('tasks')
      .values({ ...newRow(newTask('t', atMs)), holder: own, claims: 2 })
      .execute();
  });
  afterEach(() => store.db.deleteFrom('tasks').execute());

  const write = (changes: Partial<Task>, holder = own, fence = 2) =>
    saveTasks({ db: store.db, events: noEvents }, [
      { task: queuedTask('t', atMs, { status: 'RUNNING', ...changes }), next: null, holder, fence },
    ]);
  const ended = (ending: TaskEnding): Partial<Task> => ({ ending, status: ending.status, endedAtMs: atMs });
  const endingOf = async (): Promise<unknown> => {
    const row = await store.db.selectFrom('tasks').select('ending').executeTakeFirst();
    return JSON.parse(row?.ending ?? 'null');
  };

  it('stores an ending only once: a later write with another ending, or none, changes nothing', async () => {
    expect(await write({ ending: failedEnding })).not.toEqual([false]);
    for (const late of [{ ending: success }, ended(success), { ending: null }])
      expect(await write(late)).toEqual([false]);
    expect(await endingOf()).toEqual(failedEnding);
    expect(await write(ended(failedEnding))).toEqual([null]);
  });

  it('ends a task once, even if the same ending is written again', async () => {
    expect(await write(ended(success))).toEqual([null]);
    expect(await write({ ...ended(success), endedAtMs: atMs + 1 })).toEqual([false]);
  });

  it('keeps the job that the task already has', async () => {
    expect(await write({ nativeId: 'job' })).not.toEqual([false]);
    for (const nativeId of [null, 'another']) expect(await write({ nativeId })).toEqual([false]);
    expect(await write({ nativeId: 'job', ending: success })).not.toEqual([false]);
  });

  it('changes nothing for a process that is not the owner or holds an older claim', async () => {
    expect(await write({ ending: success }, 'gw_other')).toEqual([false]);
    expect(await write({ ending: success }, own, 1)).toEqual([false]);
    expect(await endingOf()).toBeNull();
  });
});
