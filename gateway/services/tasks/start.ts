import { type Attempted, attempt, type UpstreamResult, watchComplete } from '../../routing/attempt.ts';
import type { CallTracker } from '../../routing/call-tracker.ts';
import { failurePolicy } from '../../routing/failure-policy.ts';
import type { LiveChannel } from '../../routing/live-channel.ts';
import { minWaitMs } from '../../routing/refusal.ts';
import { witnessOf } from '../../routing/witness.ts';
import type { JobStarted } from '../../upstreams/media/media-outcome.ts';
import type { FailureReason } from '../../upstreams/outcome.ts';
import { startWaitMs } from './ask-again.ts';
import { failedAtStart, failedBy, failedWith, parentGone } from './endings.ts';
import type { JobService } from './job-service.ts';
import { type NativeParents, nativeParents } from './native-parents.ts';
import { startCall, type UnclearStart } from './start-call.ts';
import type { Task, TaskEnding } from './task.ts';
import type { StartStep } from './task-work.ts';

type NoteChannel = (channelId: string) => Promise<void>;

/** The result of a start that did not certainly fail: a job, or an unclear outcome. */
type Start = JobStarted | UnclearStart;

/** Failures by which this channel will not start the job, while another may. */
const turnedAway: readonly FailureReason[] = ['credentials', 'unusable', 'exhausted', 'refused'];

/**
 * Starts the job of a task: on the channel that may already have it, on its parents' channel, or on the best one.
 * If a start certainly failed, the next channel is tried. If its outcome is unclear, only the same channel is ever
 * tried again (fault J2).
 */
export async function startTask(
  service: JobService,
  task: Task,
  noteChannel: NoteChannel,
): Promise<StartStep> {
  const parents = await nativeParents(service, task);
  if (parents === null) return { kind: 'ended', ending: parentGone(task.channelId) };
  const boundTo = parents.channelId ?? task.channelId;
  let channels = boundTo === null ? servingNow(service, task) : channelsNamed(service, task, boundTo);
  if (boundTo !== null && channels.length === 0) return { kind: 'ended', ending: withdrawn(boundTo) };
  for (;;) {
    const starting: Starting = { service, task, parents, boundTo, channels, noteChannel };
    const result = await tryToStart(starting);
    if (result.kind === 'untried') {
      const ending = failedBy(result.refusal);
      return { kind: 'later', afterMs: coolingMs(channels, task), channelId: boundTo, ending };
    }
    const step = stepFor(starting, result);
    if (step !== null) return step;
    channels = channels.filter(({ channel }) => channel.id !== result.channelId);
  }
}

interface Starting {
  readonly service: JobService;
  readonly task: Task;
  readonly parents: NativeParents;
  /** The only channel that may have the job, or that knows its parents; null for any. */
  readonly boundTo: string | null;
  readonly channels: readonly LiveChannel[];
  readonly noteChannel: NoteChannel;
}

function tryToStart({ service, task, parents, channels, noteChannel }: Starting) {
  return attempt<Start>({
    channels,
    preferred: null,
    kind: 'plain',
    random: service.random,
    standing: service.standing,
    gone: new AbortController().signal,
    witness: witnessOf(task),
    cut: () => {},
    call: async (channel, isFresh) => {
      const note = (): Promise<void> => noteChannel(channel.id);
      await note();
      const isRepeat = channel.id === task.channelId;
      return await startCall({ service, task, parents: parents.nativeIds, channel, isFresh, isRepeat, note });
    },
    watch: watchStart,
  });
}

function watchStart(start: Start & UpstreamResult, tracker: CallTracker): Start {
  if (start.kind === 'started') return watchComplete(start, tracker);
  tracker.failed(start.failure);
  return start;
}

/** The step that follows from the attempts; null to try the channels that have not rejected the job. */
function stepFor({ service, task, boundTo, channels }: Starting, tried: Attempted<Start>): StartStep | null {
  const { outcome, waitMs, channelId } = tried;
  if (channelId === null || outcome.kind === 'client_left') throw new Error('an abandoned start');
  if (outcome.kind === 'started') return { kind: 'started', channelId, nativeId: outcome.nativeId };
  const failure = outcome.kind === 'unclear' ? outcome.failure : outcome;
  service.log.warn({ task_id: task.id, channel: channelId, cause: failure }, 'start');
  const askedMs = startWaitMs(failure.retryAfterMs);
  const ending = failedAtStart(failure, { channelId, waitMs }, task);
  if (outcome.kind === 'unclear') {
    return outcome.isHopeless
      ? { kind: 'ended', ending }
      : { kind: 'later', afterMs: askedMs, channelId, ending };
  }
  if (turnedAway.includes(outcome.reason)) return channels.length > 1 ? null : { kind: 'ended', ending };
  if (failurePolicy[outcome.reason].retry === 'never') return { kind: 'ended', ending };
  // Of several channels that asked for a wait the first to be ready gets the job.
  const afterMs = channels.every((live) => live.condition(witnessOf(task)).kind !== 'free')
    ? (coolingMs(channels, task) ?? askedMs)
    : askedMs;
  return { kind: 'later', afterMs, channelId: boundTo, ending };
}

function servingNow({ channels }: JobService, { model, channelsOf }: Task): readonly LiveChannel[] {
  return channels.serving(model, channelsOf);
}

/** The channel that a task's job is bound to; empty if the configuration no longer has it. */
export function channelsNamed(
  { channels }: JobService,
  { model }: Task,
  channelId: string,
): readonly LiveChannel[] {
  return channels
    .named(channelId)
    .flatMap(({ models }) => models.filter(({ facts }) => facts.modelId === model));
}

function withdrawn(channel: string): TaskEnding {
  return failedWith('upstream_error', { channel, message: 'The channel of this task is no longer in use.' });
}

/** The shortest wait of channels that are cooling down, up to the maximum before a start; null if none is. */
function coolingMs(channels: readonly LiveChannel[], task: Task): number | null {
  const witness = witnessOf(task);
  const cooling = channels.filter((live) => live.condition(witness).kind === 'cooling');
  return startWaitMs(minWaitMs(cooling, witness));
}
