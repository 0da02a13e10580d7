import type { JobOutput, PollOutcome } from '../../upstreams/media/media-outcome.ts';
import { boundedWaitMs } from './ask-again.ts';
import { failedUpstream, failedWith } from './endings.ts';
import { jobPartsOf } from './job-dialects.ts';
import type { JobService } from './job-service.ts';
import { keepOutputs } from './keep-outputs.ts';
import { channelsNamed } from './start.ts';
import type { Task, TaskEnding } from './task.ts';
import type { CheckStep } from './task-work.ts';

/** Looks at a finished job that has nothing, or not everything, to show (faults J7, J14). */
const looksForOutputs = 3;

/** Asks once after a started job, and fetches what a finished one made. */
export async function checkTask(service: JobService, task: Task): Promise<CheckStep> {
  const outcome = await poll(service, task);
  const lost = failedWith('upstream_error', { channel: task.channelId });
  if (outcome === null || outcome.kind === 'gone') return { kind: 'unclear', afterMs: null, ending: lost };
  if (outcome.kind === 'failure') {
    service.log.warn({ task_id: task.id, channel: task.channelId, cause: outcome }, 'look');
    return { kind: 'unclear', afterMs: boundedWaitMs(outcome.retryAfterMs), ending: lost };
  }
  const { state } = outcome;
  const afterMs = boundedWaitMs(outcome.askAgainMs);
  switch (state.kind) {
    // What ran once does not wait again, whatever its upstream says (fault J6): both are the same to us.
    case 'waiting':
    case 'running':
      return { kind: 'running', afterMs };
    case 'failed':
      return { kind: 'ended', ending: failedUpstream(state.reason, task.channelId) };
    case 'done': {
      if (state.outputs.length < outputsOf(task)) {
        const isLast = task.pollTries >= looksForOutputs - 1;
        return isLast ? { kind: 'ended', ending: lost } : { kind: 'unclear', afterMs, ending: lost };
      }
      const ending = await succeeded(service, task, state.outputs);
      return ending === null ? { kind: 'unclear', afterMs, ending: lost } : { kind: 'ended', ending };
    }
  }
}

/** Null when the configuration has the channel of the job no longer. */
async function poll(service: JobService, task: Task): Promise<PollOutcome | null> {
  const { channelId, nativeId } = task;
  if (channelId === null || nativeId === null) throw new Error(`${task.id} has no job to ask after`);
  const [live] = channelsNamed(service, task, channelId);
  if (live === undefined) return null;
  const { dialect, baseUrl, apiKey } = live.channel;
  const target = { baseUrl, apiKey, gone: new AbortController().signal };
  return await jobPartsOf(dialect).dialect.poll(service.upstreams, target, nativeId);
}

/** Pictures of a grid, and halves of a song that was taken apart; a job of another kind makes one thing or more. */
function outputsOf({ model, action }: Task): number {
  if (model === 'journey-v7') return action === 'upscale' ? 1 : 4;
  return action === 'stem' ? 2 : 1;
}

/** The ending by what a job made; null when it could not be fetched whole. */
async function succeeded(
  service: JobService,
  task: Task,
  outputs: readonly JobOutput[],
): Promise<TaskEnding | null> {
  const kept = await keepOutputs(service, task, outputs);
  if (kept === null) return null;
  const results = kept.map(({ file }) => ({ file: file.name }));
  return { status: 'SUCCESS', results, durationSec: lengthOf(task, outputs, kept) };
}

/** Whole seconds as the upstream says (fault J15), or as its files do; what was asked for when neither tells. */
function lengthOf(
  { medium, fields }: Task,
  outputs: readonly JobOutput[],
  kept: readonly { readonly what: string; readonly seconds: number | null }[],
): number | null {
  const isTimed = kept.some(({ what }) => what === 'video' || what === 'audio');
  if (medium === 'image' || !isTimed) return null;
  const told = outputs.flatMap(({ durationSec }) => durationSec ?? []);
  if (told.length > 0) return Math.max(...told);
  const measured = kept.flatMap(({ seconds }) => seconds ?? []);
  if (measured.length > 0) return Math.max(1, Math.round(Math.max(...measured)));
  return typeof fields.duration === 'number' ? fields.duration : null;
}
