import { expect, it } from 'vitest';
import { failure, failureReasons } from '../../upstreams/outcome.ts';
import { failedAtStart, failedUpstream } from './endings.ts';
import type { Task } from './task.ts';

const place = { channelId: 'video', waitMs: 0 };
const about = { fields: { prompt: 'a sea', duration: 5 }, parents: [] } as unknown as Task;
const errorOf = (ending: ReturnType<typeof failedUpstream>) =>
  ending.status === 'FAILED' ? [ending.error.code, ending.error.param, ending.error.channel] : null;

it('maps each failure at the start of a job to an error code', () => {
  const codes = failureReasons.map((reason) => [
    reason,
    ...(errorOf(failedAtStart(failure(reason, 'RAW'), place, about)) ?? []),
  ]);
  expect(codes).toEqual([
    ['timeout', 'upstream_timeout', null, 'video'],
    ['connection', 'upstream_error', null, 'video'],
    ['server', 'upstream_error', null, 'video'],
    ['busy', 'channel_queue_full', null, 'video'],
    ['exhausted', 'channel_outage', null, 'video'],
    ['credentials', 'upstream_error', null, 'video'],
    ['context', 'invalid_param', 'prompt', 'video'],
    ['policy', 'content_filter', null, 'video'],
    ['bad_request', 'upstream_error', null, 'video'],
    ['refused', 'upstream_error', null, 'video'],
    ['unusable', 'upstream_error', null, 'video'],
    ['garbled', 'upstream_error', null, 'video'],
  ]);
});

it('names only fields that the task has, and parent_task_id only if it has a parent', () => {
  const refused = (param: string, parents: readonly string[] = []) =>
    errorOf(failedAtStart(failure('bad_request', 'RAW', { param }), place, { ...about, parents }));
  expect(refused('duration')).toEqual(['invalid_param', 'duration', 'video']);
  expect(refused('seed')).toEqual(['upstream_error', null, 'video']);
  expect(refused('parent_task_id')).toEqual(['upstream_error', null, 'video']);
  expect(refused('parent_task_id', ['task_0'])).toEqual(['invalid_param', 'parent_task_id', 'video']);
});

it('maps each failure of a job to an error code', () => {
  const codes = (['policy', 'bad_input', 'parent_gone', 'other'] as const).map((reason) =>
    errorOf(failedUpstream(reason, 'video')),
  );
  expect(codes).toEqual([
    ['content_filter', null, 'video'],
    ['invalid_param', null, 'video'],
    ['invalid_param', 'parent_task_id', 'video'],
    ['upstream_error', null, 'video'],
  ]);
});
