import { describe, expect, it } from 'vitest';
import { findingOf } from '../../testing/finding-of.ts';
import { type SampleEvent, sampleEvent, sampleRecord, sampleSecret } from '../../testing/sample-event.ts';
import type { ReceivedEvent } from '../../wire/received-event.ts';
import { type EventClaims, judgeEvent } from './judge-event.ts';
import { distinctEvents, judgeApart, judgeNone, judgeOnce, judgeSame } from './one-event.ts';

const rules = { timestampHeader: 'X-Service-Timestamp', secret: sampleSecret, isClockKnown: true };
const answered = (status: number, sample: SampleEvent = {}): ReceivedEvent =>
  sampleEvent({ ...sample, more: { answered: { kind: 'status', status, at_ms: 0 } } });
const claims = (sample: SampleEvent, taskId = 'task_1'): EventClaims =>
  judgeEvent(sampleEvent(sample), rules, { taskId, status: null, record: null });

describe('one end', () => {
  it('is reported once, however many deliveries a receiver needs', () => {
    expect(judgeOnce([])).toEqual([]);
    expect(judgeOnce([answered(200)])).toEqual([]);
    expect(judgeOnce([answered(500), answered(404), answered(204)])).toEqual([]);
  });

  it('is not reported by a second event, accepted or not', () => {
    const judge = (...events: ReceivedEvent[]): string | null => findingOf(() => judgeOnce(events));
    expect(judge(answered(200), answered(200, { id: 'evt_2' }))).toBe('HOOK-004 one-event');
    expect(judge(answered(500), answered(200, { id: 'evt_2' }))).toBe('HOOK-004 one-event');
  });

  it('should not be sent again to a receiver that accepted it', () => {
    for (const status of [200, 201, 204, 299])
      expect(judgeOnce([answered(status), answered(200)]).map(({ aspect }) => aspect)).toEqual(['one-event']);
  });

  it('is counted by the event id, as receivers do', () => {
    const events = [answered(500), answered(200), answered(200, { id: 'evt_2' })];
    expect(distinctEvents(events)).toHaveLength(2);
    const bare = (): ReceivedEvent => sampleEvent({ headers: () => [] });
    expect(distinctEvents([bare(), bare()])).toHaveLength(2);
  });

  it('must have no event when none is allowed', () => {
    const rule = { requirement: 'HOOK-002', aspect: 'none-unasked', expected: 'nothing' };
    expect(findingOf(() => judgeNone([], rule))).toBeNull();
    expect(findingOf(() => judgeNone([answered(200)], rule))).toBe('HOOK-002 none-unasked');
  });
});

describe('a repeated delivery', () => {
  const judge = (again: SampleEvent): string | null =>
    findingOf(() => judgeSame(claims({}), { ...claims({}), ...claims(again, 'task_1') }));

  it('must carry the event of the first one', () => {
    expect(judge({})).toBeNull();
    expect(judge({ data: { ...sampleRecord, result_urls: ['https://files.example.com/a?s=2'] } })).toBeNull();
  });

  it('must go to the same URL, however that is spelled', () => {
    expect(judge({ more: { target: '/in%2D1' } })).toBeNull();
    expect(judge({ more: { target: '/in-1?' } })).toBe('HOOK-005 same-target');
  });

  it('must not differ in its id or in its content', () => {
    expect(judge({ id: 'evt_2' })).toBe('HOOK-004 same-event');
    expect(judge({ type: 'task.failed', data: { ...sampleRecord, status: 'FAILED' } })).toBe(
      'HOOK-004 same-event',
    );
  });
});

describe('events of several tasks', () => {
  const two = (id: string): EventClaims =>
    claims({ id, data: { ...sampleRecord, task_id: 'task_2' } }, 'task_2');

  it('must have different ids', () => {
    expect(findingOf(() => judgeApart([claims({}), two('evt_2'), claims({})]))).toBeNull();
    expect(findingOf(() => judgeApart([claims({}), two('evt_1')]))).toBe('HOOK-004 own-id');
  });
});
