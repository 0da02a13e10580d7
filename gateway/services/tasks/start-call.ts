import { fieldFinder } from '../../requests/native-body/field-names.ts';
import type { Channel } from '../../routing/channel.ts';
import type { JobStarted, StartOutcome } from '../../upstreams/media/media-outcome.ts';
import type { UpstreamFailure } from '../../upstreams/outcome.ts';
import { largestOf } from '../media/normalise-media.ts';
import { jobPartsOf } from './job-dialects.ts';
import type { JobService } from './job-service.ts';
import type { Task } from './task.ts';

/** Whether there is a job now nobody can tell. */
export interface UnclearStart {
  readonly kind: 'unclear';
  readonly failure: UpstreamFailure;
  /** Asking again comes to the same: the upstream answers, but never with a job (fault J3). */
  readonly isHopeless: boolean;
}

export interface StartingCall {
  readonly service: JobService;
  readonly task: Task;
  readonly parents: readonly string[];
  readonly channel: Channel;
  readonly isFresh: boolean;
  /** The job may have been started on this channel before. */
  readonly isRepeat: boolean;
}

/**
 * Starts a job on a channel. One that may be there already is asked for first where a second start would be a second job;
 * and when nobody can tell what came of the start, the same is done once more at once (faults J2, J3, T9).
 */
export async function startCall(call: StartingCall): Promise<JobStarted | UnclearStart | UpstreamFailure> {
  const starter = starterOf(call);
  if (call.isRepeat) {
    const found = await starter.find();
    if (found.kind === 'started') return found;
    if (found.kind === 'failure') return unclear(found);
  }
  const first = await starter.start(call.isFresh);
  if (first.kind === 'started' || !first.isUnclear) return first;
  const found = await starter.find();
  if (found.kind === 'started') return found;
  if (found.kind === 'failure') return unclear(found, first);
  // Nothing was sent by a connection that was dead; and the same start twice is no second job, where it is so.
  if (!starter.isIdempotent && !first.isStale) return unclear(first, first);
  const second = await starter.start(true);
  return second.kind === 'started' ? second : unclear(second, first);
}

function unclear(failure: UpstreamFailure, first: UpstreamFailure | null = null): UnclearStart {
  const isHopeless = first?.reason === 'unusable' && failure.reason === 'unusable';
  return { kind: 'unclear', failure, isHopeless };
}

interface Starter {
  readonly isIdempotent: boolean;
  start(isFresh: boolean): Promise<StartOutcome>;
  find(): Promise<JobStarted | { readonly kind: 'none' } | UpstreamFailure>;
}

function starterOf({ service, task, parents, channel }: StartingCall): Starter {
  const { upstreams } = service;
  const { dialect, names, nativeBody } = jobPartsOf(channel.dialect);
  const { baseUrl, apiKey, nativeModel } = channel;
  const target = { baseUrl, apiKey, gone: new AbortController().signal };
  const { find } = dialect;
  const callbackUrl = channel.takesCallbacks ? service.callbackTo(channel.id) : null;
  const call = {
    ...target,
    body: nativeBody(task, { parents, callbackUrl }, nativeModel),
    key: task.id,
    fieldOf: fieldFinder(task.fields, names),
    largest: largestOf(task.fields),
  };
  return {
    isIdempotent: find === undefined,
    start: (isFresh) => dialect.start(upstreams, { ...call, isFresh }),
    find: async () => (await find?.(upstreams, target, task.id)) ?? { kind: 'none' },
  };
}
