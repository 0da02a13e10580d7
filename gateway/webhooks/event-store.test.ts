import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { createEventStore } from './event-store.ts';

describe.each(storeKinds)('removal of old events on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);

  it('removes them in batches with their attempts, and no other event', async () => {
    const before = Date.parse('2026-11-15T12:00:00Z');
    await sql`
      insert into webhook_events (id, task_id, account_id, receiver, type, url, body, state, created_at, due_at, ended_at)
      select id, id, 'acc', 'r', 'task.failed', '"u"', '{}', state, at, case when state = 'pending' then at end,
        case when state <> 'pending' then at end
      from generate_series(1, 1203) as n,
        lateral (select 'evt_' || n, case when n = 1203 then 'pending' else 'delivered' end,
          ${new Date(before)}::timestamptz + interval '1 millisecond' * (case when n = 1202 then 0 else -n end)) as x(id, state, at)`.execute(
      store.db,
    );
    await sql`
      insert into webhook_attempts (event_id, n, at, took_ms, is_manual)
      select id, 1, created_at, 5, false from webhook_events`.execute(store.db);
    const events = createEventStore(store.db, () => 'evt');
    await Promise.all([events.forgetEndedBefore(before), events.forgetEndedBefore(before)]);
    await events.close();
    const left = await store.db
      .selectFrom('webhook_events as e')
      .innerJoin('webhook_attempts as a', 'a.event_id', 'e.id')
      .select('e.id')
      .orderBy('e.id')
      .execute();
    expect(left.map(({ id }) => id)).toEqual(['evt_1202', 'evt_1203']);
    const attempts = await store.db.selectFrom('webhook_attempts').select('event_id').execute();
    expect(attempts.length).toBe(2);
  });
});
