import { expect, it } from 'vitest';
import { readPayload } from '../oracle/webhooks/payload.ts';
import { eventOf, PassedEvents } from './passed-events.ts';
import { exchangeOf } from './testing/passing.ts';

const stamp = { fromMs: 0, toMs: 0, unit: 'seconds' } as const;

/** Keeps an event of a task with this many bytes. */
function keep(events: PassedEvents, task: string, id: string, bytes = 100): void {
  const body = JSON.stringify({ task_id: task, fill: 'x'.repeat(bytes) });
  const event = eventOf(
    exchangeOf({ path: '/hooks', headers: { 'webhook-id': id }, body, at: 0 }),
    events.next(),
  );
  if (event === null) throw new Error('it is whole');
  events.keep(event, { payload: readPayload(event), stamp });
}

it('keeps events by task and id, and drops those of the oldest tasks', () => {
  const events = new PassedEvents(2);
  keep(events, 'a', 'evt-1');
  keep(events, 'a', 'evt-1');
  keep(events, 'b', 'evt-2');
  expect([events.of('a').length, events.first('evt-1')?.event.n]).toEqual([2, 1]);
  keep(events, 'c', 'evt-3');
  expect([events.of('a').length, events.first('evt-1'), events.of('b').length]).toEqual([0, undefined, 1]);
});

it('keeps at most 32 MB, and nothing of a large event', () => {
  const events = new PassedEvents(10_000);
  for (let n = 0; n < 1_000; n += 1) keep(events, `task-${n}`, `evt-${n}`, 60_000);
  expect(events.of('task-0')).toEqual([]);
  expect(events.of('task-999')).toHaveLength(1);
  keep(events, 'large', 'evt-large', 70_000);
  expect(events.of('large')).toEqual([]);
});

it('ignores an event whose receiver did not wait for all of it', () => {
  const headers = { 'content-length': '500' };
  expect(eventOf(exchangeOf({ path: '/hooks', headers, body: '{}', at: 0 }), 1)).toBeNull();
});
