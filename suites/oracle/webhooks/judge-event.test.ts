import { describe, expect, it } from 'vitest';
import { findingOf } from '../../testing/finding-of.ts';
import { otherSecret, type SampleEvent, sampleEvent, sampleSecret } from '../../testing/sample-event.ts';
import { type EventRules, judgeEvent } from './judge-event.ts';
import { signatureOf } from './sign.ts';

const rules: EventRules = {
  timestampHeader: 'X-Service-Timestamp',
  secret: sampleSecret,
  isClockKnown: true,
};
const claimed = { taskId: 'task_1', status: 'SUCCESS', record: null } as const;

function judge(sample: SampleEvent, more: Partial<EventRules> = {}): string | null {
  return findingOf(() => judgeEvent(sampleEvent(sample), { ...rules, ...more }, claimed));
}

/** An event with a signature over these parts and its body. */
function signedOver(parts: (id: string, timestamp: string) => [string, string] | null): SampleEvent {
  return {
    headers: (headers) => {
      const value = (name: string): string => headers.find(([key]) => key === name)?.[1] ?? '';
      const of = parts(value('webhook-id'), value('webhook-timestamp'));
      const { body } = sampleEvent();
      const [id, timestamp] = of ?? ['', ''];
      const signature = signatureOf(sampleSecret, { id, timestamp, body });
      return headers.map(([key, text]) => [key, key === 'webhook-signature' ? signature : text]);
    },
  };
}

const without = (name: string): SampleEvent => ({
  headers: (headers) => headers.filter(([key]) => key !== name),
});

describe('a delivery', () => {
  it('passes when it is correct, also with signatures by several secrets', () => {
    expect(judge({})).toBeNull();
    expect(judge({ secrets: [otherSecret, sampleSecret] })).toBeNull();
  });

  it('returns its content', () => {
    const claims = judgeEvent(sampleEvent(), rules, claimed);
    expect(claims).toMatchObject({
      id: 'evt_1',
      advice: [],
      payload: { taskId: 'task_1', status: 'SUCCESS' },
    });
  });

  it('must be a POST that arrives completely', () => {
    expect(judge({ more: { method: 'PUT' } })).toBe('HOOK-001 posted');
    expect(judge({ more: { isCut: true } })).toBe('HOOK-001 posted');
  });

  it('must have its time in a header', () => {
    expect(judge(without('x-service-timestamp'))).toBe('HOOK-008 timestamp-header');
    expect(judge({ timestamp: '1799999400' })).toBe('HOOK-009 time-of-sending');
    expect(judge({ timestamp: '1800000600' })).toBe('HOOK-009 time-of-sending');
  });

  it("must be signed over id, time and bytes with its account's secret", () => {
    expect(judge(without('webhook-signature'))).toBe('HOOK-007 signed');
    expect(judge({ secrets: [otherSecret] })).toBe('HOOK-007 verifies');
    expect(judge({ more: { body: Buffer.from('{"task_id":"task_1"}') } })).toBe('HOOK-007 verifies');
    expect(judge(signedOver(() => null))).toBe('HOOK-007 verifies');
    expect(judge(signedOver((id, timestamp) => [`${id}x`, timestamp]))).toBe('HOOK-007 verifies');
    expect(judge({ ...without('webhook-id') })).toBe('HOOK-007 verifies');
  });

  it('must name the right task', () => {
    expect(judge({ data: { task_id: 'task_2', status: 'SUCCESS' } })).toBe('HOOK-013 task-id');
  });

  it('only needs any signature when the secret is unknown', () => {
    expect(judge({ secrets: [otherSecret] }, { secret: null })).toBeNull();
    expect(judge(without('webhook-signature'), { secret: null })).toBe('HOOK-007 signed');
  });

  it("may differ more in time when the deployment's clock is unknown", () => {
    expect(judge({ timestamp: '1799999800' })).toBe('HOOK-009 time-of-sending');
    expect(judge({ timestamp: '1799999800' }, { isClockKnown: false })).toBeNull();
    expect(judge({ timestamp: '1799999600' }, { isClockKnown: false })).toBe('HOOK-009 time-of-sending');
  });
});
