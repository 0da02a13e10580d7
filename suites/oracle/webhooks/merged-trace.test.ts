import { describe, expect, it } from 'vitest';
import { findingOf } from '../../testing/finding-of.ts';
import { sampleArrival, sampleEvent, sampleRecord } from '../../testing/sample-event.ts';
import { answeredWith } from '../../testing/sample-exchange.ts';
import type { TaskStatus } from '../media/task-answer.ts';
import { judgeMerged } from './merged-trace.ts';

/** The violation of reads that began this long after the event arrived, ms. */
function judge(
  reads: readonly (readonly [afterMs: number, status: TaskStatus])[],
  reported = 'SUCCESS',
): string | null {
  const event = sampleEvent({ data: { ...sampleRecord, status: reported } });
  return findingOf(() =>
    judgeMerged({
      events: [event],
      reads: reads.map(([afterMs, status]) => ({
        record: {
          taskId: 'task_1',
          status,
          resultUrls: [],
          namesResults: true,
          durationSec: null,
          submitTime: null,
          error: null,
          exchange: { ...answeredWith(), sentAt: sampleArrival + afterMs },
        },
      })),
    }),
  );
}

describe('reads and events in order of time', () => {
  it('may show any state before the event, and its end after it', () => {
    expect(
      judge([
        [-50, 'QUEUED'],
        [0, 'RUNNING'],
        [5, 'SUCCESS'],
      ]),
    ).toBeNull();
    expect(judge([])).toBeNull();
    expect(findingOf(() => judgeMerged({ reads: [], events: [] }))).toBeNull();
  });

  it('show no earlier state after the event', () => {
    expect(judge([[1, 'RUNNING']])).toBe('HOOK-012 readable-at-event');
    expect(judge([[900, 'QUEUED']])).toBe('HOOK-012 readable-at-event');
  });

  it('report the same end', () => {
    expect(judge([[5, 'FAILED']])).toBe('HOOK-013 status');
    expect(judge([[5, 'EXPIRED']], 'FAILED')).toBe('HOOK-013 status');
  });
});
