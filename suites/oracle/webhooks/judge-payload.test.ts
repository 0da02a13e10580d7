import { describe, expect, it } from 'vitest';
import { findingOf } from '../../testing/finding-of.ts';
import { type SampleEvent, sampleEvent, sampleRecord } from '../../testing/sample-event.ts';
import { answeredWith } from '../../testing/sample-exchange.ts';
import type { TaskRecord } from '../media/task-answer.ts';
import { judgePayload } from './judge-payload.ts';

const record: TaskRecord = {
  taskId: sampleRecord.task_id,
  status: sampleRecord.status,
  resultUrls: sampleRecord.result_urls,
  namesResults: true,
  durationSec: sampleRecord.duration_sec,
  submitTime: null,
  error: null,
  exchange: answeredWith(),
};
const claimed = { taskId: 'task_1', status: null, record };

/** The violation, or the advice when there is none. */
function judge(sample: SampleEvent, more: Partial<typeof claimed> = {}): string {
  const event = sampleEvent(sample);
  const found = findingOf(() => judgePayload(event, { ...claimed, ...more }));
  if (found !== null) return found;
  return judgePayload(event, { ...claimed, ...more })
    .advice.map(({ requirement, aspect }) => `advised ${requirement} ${aspect}`)
    .join(', ');
}

describe('the payload of an event', () => {
  it('may be in any envelope', () => {
    expect(judge({})).toBe('');
    expect(judge({ body: JSON.stringify({ task_id: 'task_1', status: 'SUCCESS' }) })).toBe('');
    expect(judge({ body: JSON.stringify({ id: 'e', event: 'task.completed', task: sampleRecord }) })).toBe(
      '',
    );
    expect(judge({ body: JSON.stringify({ event: { data: { object: sampleRecord } } }) })).toBe('');
    expect(judge({ body: JSON.stringify(sampleRecord, null, 2) })).toBe('');
  });

  it('must name the task of its URL', () => {
    expect(judge({ data: { ...sampleRecord, task_id: 'task_2' } })).toBe('HOOK-013 task-id');
    expect(judge({ data: { status: 'SUCCESS' } })).toBe('HOOK-013 task-id');
    expect(judge({ body: '' })).toBe('HOOK-013 task-id');
    expect(judge({ body: '[]' })).toBe('HOOK-013 task-id');
    expect(judge({ body: 'done' })).toBe('HOOK-013 task-id');
  });

  it('should be JSON with a JSON media type', () => {
    expect(judge({ body: 'task_id=task_1&status=SUCCESS' })).toBe('advised HOOK-014 json');
    const typed = (type: string): string =>
      judge({
        headers: (headers) => headers.map(([key, value]) => [key, key === 'content-type' ? type : value]),
      });
    expect(typed('text/plain')).toBe('advised HOOK-013 json-type');
    expect(typed('application/json; charset=utf-8')).toBe('');
  });

  it('must report the end that a read shows, in its status and in its name', () => {
    expect(judge({ data: { ...sampleRecord, status: 'FAILED' } })).toBe('HOOK-013 status');
    expect(judge({ type: 'task.failed' })).toBe('HOOK-013 type');
    expect(judge({ type: 'task.expired' })).toBe('HOOK-013 type');
    expect(judge({ body: JSON.stringify({ task_id: 'task_1' }) })).toBe('advised HOOK-013 status');
  });

  it('must report the known end when there is no read', () => {
    const expired = { status: 'EXPIRED', record: null } as unknown as Partial<typeof claimed>;
    expect(judge({}, expired)).toBe('HOOK-013 status');
    const data = { task_id: 'task_1', status: 'EXPIRED' };
    expect(judge({ type: 'task.expired', data }, expired)).toBe('');
    expect(judge({ type: 'task.failed', data }, expired)).toBe('HOOK-013 type');
  });

  it('must report an end', () => {
    expect(judge({ data: { ...sampleRecord, status: 'RUNNING' } })).toBe('HOOK-003 not-before-end');
    expect(judge({ body: JSON.stringify({ task_id: 'task_1', event: 'task.queued' }) })).toBe(
      'HOOK-003 not-before-end',
    );
  });

  it('must agree with the record that a read shows', () => {
    const signed = { ...sampleRecord, result_urls: ['https://files.example.com/a.mp4?signature=2'] };
    expect(judge({ data: signed })).toBe('');
    expect(judge({ data: { ...sampleRecord, result_urls: ['https://files.example.com/b.mp4'] } })).toBe(
      'HOOK-013 record',
    );
    expect(judge({ data: { ...sampleRecord, result_urls: null } })).toBe('HOOK-013 record');
    const { result_urls: _, ...without } = sampleRecord;
    expect(judge({ data: without })).toBe('HOOK-013 record');
    const elsewhere = { ...without, outputs: [{ url: sampleRecord.result_urls[0] }] };
    expect(judge({ data: elsewhere })).toBe('');
    const open = { ...record, namesResults: false };
    expect(judge({ data: elsewhere }, { record: open })).toBe('');
    expect(
      judge({ data: { ...without, outputs: ['https://files.example.com/b.mp4'] } }, { record: open }),
    ).toBe('HOOK-013 record');
    expect(judge({ data: without }, { record: open })).toBe('HOOK-013 record');
    expect(judge({ data: { ...sampleRecord, duration_sec: 6 } })).toBe('HOOK-013 record');
    expect(judge({ data: { ...sampleRecord, error: { code: 'upstream_error' } } })).toBe('HOOK-013 record');
  });
});
