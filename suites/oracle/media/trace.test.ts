import { describe, expect, it } from 'vitest';
import { Violation } from '../../rules/violation.ts';
import { answeredWith } from '../../testing/sample-exchange.ts';
import type { TaskRecord, TaskStatus } from './task-answer.ts';
import { TaskTrace } from './trace.ts';

const record = (status: TaskStatus, more: Partial<TaskRecord> = {}): TaskRecord => ({
  taskId: 't',
  status,
  resultUrls: status === 'SUCCESS' ? ['https://x.example/a.png?s=1'] : [],
  namesResults: true,
  durationSec: null,
  submitTime: null,
  error: null,
  exchange: answeredWith(),
  ...more,
});

type Read = readonly [began: number, ended: number, record: TaskRecord, reader?: string];

/** The violation as `requirement aspect`, or the observed statuses. */
function judge(...reads: readonly Read[]): string {
  const trace = new TaskTrace();
  try {
    for (const [began, ended, seen, reader = 'one'] of reads)
      trace.add({ began, ended, reader, record: seen });
    return trace.statuses.join(' ');
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return `${error.finding.requirement} ${error.finding.aspect}`;
  }
}

describe('legal traces', () => {
  it('move forwards and may skip states', () => {
    expect(judge([1, 2, record('QUEUED')], [3, 4, record('RUNNING')], [5, 6, record('SUCCESS')])).toBe(
      'QUEUED RUNNING SUCCESS',
    );
    expect(judge([1, 2, record('QUEUED')], [3, 4, record('EXPIRED')])).toBe('QUEUED EXPIRED');
  });

  it('may show any states in overlapping reads', () => {
    expect(judge([1, 4, record('RUNNING')], [2, 3, record('QUEUED')])).toBe('RUNNING QUEUED');
  });

  it('may show the same link with a new signature', () => {
    const again = record('SUCCESS', { resultUrls: ['https://x.example/a.png?s=2'] });
    expect(judge([1, 2, record('SUCCESS')], [3, 4, again])).toBe('SUCCESS');
  });
});

describe('illegal traces', () => {
  it.for<[string, string, Read[]]>([
    [
      'go backwards',
      'STATE-008 forwards',
      [
        [1, 2, record('RUNNING')],
        [3, 4, record('QUEUED')],
      ],
    ],
    [
      'go backwards to another reader',
      'STATE-009 no-earlier-state',
      [
        [1, 2, record('RUNNING')],
        [3, 4, record('QUEUED'), 'two'],
      ],
    ],
    [
      'show so by a read that is reported late',
      'STATE-009 no-earlier-state',
      [
        [3, 4, record('QUEUED')],
        [1, 2, record('RUNNING'), 'two'],
      ],
    ],
    [
      'leave a terminal state',
      'STATE-002 terminal-final',
      [
        [1, 2, record('FAILED')],
        [3, 4, record('SUCCESS')],
      ],
    ],
    [
      'leave a terminal state for another reader',
      'STATE-009 no-earlier-state',
      [
        [1, 2, record('FAILED')],
        [3, 4, record('RUNNING'), 'two'],
      ],
    ],
    [
      'change a terminal record',
      'STATE-002 terminal-unchanged',
      [
        [1, 2, record('SUCCESS')],
        [3, 4, record('SUCCESS', { durationSec: 5 })],
      ],
    ],
    [
      'lose results',
      'STATE-002 terminal-unchanged',
      [
        [1, 2, record('SUCCESS')],
        [3, 4, record('SUCCESS', { resultUrls: ['https://x.example/b.png'] })],
      ],
    ],
  ])('%s: %s', ([, found, reads]) => {
    expect(judge(...reads)).toBe(found);
  });
});
