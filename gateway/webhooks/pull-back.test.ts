import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { createDueRows } from '../work/due-rows.ts';
import { eventAttempts } from './due-event.ts';
import { longestWaitMs } from './next-attempt.ts';

const nowMs = Date.parse('2026-11-15T12:00:00Z');
const minute = 60_000;
const schedule = {
  schedule_ms: [0, minute, 5 * minute],
  jitter_percent: 10,
  retry_after_most_ms: 2 * minute,
};

/** Each event, with the attempts before its next one and its wait in ms; whether it is pulled back. */
const waits: readonly [id: string, place: number, waitMs: number, isPulled: boolean][] = [
  ['due', 0, 0, false],
  ['new', 0, 1, true],
  ['asked to wait', 1, 2 * minute, false],
  ['too long', 1, 2 * minute + 1, true],
  ['scheduled', 2, 5.5 * minute, false],
  ['longer', 2, 5.5 * minute + 1, true],
  ['held', 0, 60 * minute, false],
];

describe.each(storeKinds)('events that a clock ahead has put off, on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);

  it('are due at once where they would wait longer than an event ever does', async () => {
    for (const [id, place, waitMs] of waits)
      await sql`
        insert into webhook_events (id, task_id, account_id, receiver, type, url, body, state, created_at, place, due_at, holder)
        values (${id}, ${id}, 'acc', 'r', 'task.failed', '"u"', '{}', 'pending', now(), ${place}, ${new Date(nowMs + waitMs)},
          ${id === 'held' ? 'gw_other' : null})`.execute(store.db);
    const rows = createDueRows(store.db, { own: 'gw_test' }, eventAttempts);
    expect(await rows.pullBack(nowMs, longestWaitMs(schedule))).toBe(3);
    const after = await store.db.selectFrom('webhook_events').select(['id', 'due_at']).execute();
    const times = new Map(after.map(({ id, due_at }) => [id, due_at?.getTime()]));
    expect([...times].sort()).toEqual(
      waits.map(([id, , waitMs, isPulled]) => [id, isPulled ? nowMs : nowMs + waitMs]).sort(),
    );
  });
});
