import { fieldFinder } from '../../requests/native-body/field-names.ts';
import type { Channel } from '../../routing/channel.ts';
import type { JobStarted, StartOutcome } from '../../upstreams/media/media-outcome.ts';
import type { UpstreamFailure } from '../../upstreams/outcome.ts';
import { largestOf } from '../media/normalise-media.ts';
import { jobPartsOf } from './job-dialects.ts';
import type { JobService } from './job-service.ts';
import type { Task } from './task.ts';

/** A start with an unclear outcome: a job may exist now. */
export interface UnclearStart {
  readonly kind: 'unclear';
  readonly failure: UpstreamFailure;
  /** True if a repeat is useless: the upstream answers, but never with a job (fault J3). */
  readonly isHopeless: boolean;
}

export interface StartingCall {
  readonly service: JobService;
  readonly task: Task;
  readonly parents: readonly string[];
  readonly channel: Channel;
  readonly isFresh: boolean;
  /** Whether the job may already have been started on this channel. */
  readonly isRepeat: boolean;
  /** Resolves if this process still owns the task, which another may have taken over during a lookup. Rejects otherwise. */
  readonly note: () => Promise<void>;
}

/**
 * Starts a job on a channel. If the job may exist already, and a second start would make a second job, it looks
 * for the existing one first. If the outcome of the start is unclear, it retries once at once (faults J2, J3, T9).
 */
export async function startCall(call: StartingCall): Promise<JobStarted | UnclearStart | UpstreamFailure> {
  const starter = starterOf(call);
  if (call.isRepeat) {
    const found = await starter.find();
    if (found.kind === 'started') return found;
    if (found.kind === 'failure') return unclear(found);
    if (!starter.isIdempotent) await call.note();
  }
  const first = await starter.start(call.isFresh);
  if (first.kind === 'started' || !first.isUnclear) return first;
  const found = await starter.find();
  if (found.kind === 'started') return found;
  if (found.kind === 'failure') return unclear(found, first);
  // A repeat makes no second job if starts are idempotent, or if the connection was stale and sent nothing.
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
