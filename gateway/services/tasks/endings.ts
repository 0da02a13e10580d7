import { GatewayError, type RefusalDetails } from '../../errors/gateway-error.ts';
import type { FailureContext } from '../../routing/normalise-failure.ts';
import type { JobFailure } from '../../upstreams/media/media-outcome.ts';
import type { UpstreamFailure } from '../../upstreams/outcome.ts';
import { normaliseMediaFailure } from '../media/normalise-media.ts';
import type { Task, TaskEnding, TaskError } from './task.ts';

/** The field that an error about the parent task names. */
export const parent = 'parent_task_id';

/** The ending of a task that failed with one of our error codes. */
export function failedWith(code: TaskError['code'], details: RefusalDetails = {}): TaskEnding {
  return failedBy(new GatewayError(code, details));
}

/** The ending of a task that failed by a refusal. */
export function failedBy({ code, message, param, channel }: GatewayError): TaskEnding {
  const known = codes.find((one) => one === code);
  if (known !== undefined) return { status: 'FAILED', error: { code: known, message, param, channel } };
  // Tasks have no error code for a long prompt; it is the only refusal that is renamed.
  if (code === 'context_too_long')
    return failedWith('invalid_param', { param, channel, message: `${param} is too long.` });
  return failedWith('internal_error', { channel });
}

/** The ending of a task that could not be started because its upstream failed (reading B-109). */
export function failedAtStart(failure: UpstreamFailure, place: FailureContext, task: Task): TaskEnding {
  const given = new Set(Object.keys(task.fields));
  if (task.parents.length > 0) given.add(parent);
  return failedBy(normaliseMediaFailure(failure, place, given));
}

/** The ending of a task whose upstream reports that the job failed. */
export function failedUpstream(reason: JobFailure, channel: string | null): TaskEnding {
  switch (reason) {
    case 'policy':
      return failedWith('content_filter', { channel });
    case 'bad_input':
      return failedWith('invalid_param', {
        channel,
        message: 'The upstream refused what the job was given.',
      });
    case 'parent_gone':
      return parentGone(channel);
    case 'other':
      return failedWith('upstream_error', { channel });
  }
}

/** The ending of a task whose parent can no longer be used (fault J18). */
export function parentGone(channel: string | null): TaskEnding {
  return failedWith('invalid_param', {
    channel,
    param: parent,
    message: 'The task that this one builds on cannot be built on any more.',
  });
}

const codes: readonly TaskError['code'][] = [
  'content_filter',
  'invalid_param',
  'upstream_error',
  'upstream_timeout',
  'channel_outage',
  'channel_queue_full',
  'quota_exceeded',
  'internal_error',
];
