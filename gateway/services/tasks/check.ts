import type { JobOutput, PollOutcome } from '../../upstreams/media/media-outcome.ts';
import { pollWaitMs } from './ask-again.ts';
import { coverEnding } from './cover.ts';
import { failedUpstream, failedWith } from './endings.ts';
import { jobPartsOf } from './job-dialects.ts';
import type { JobService } from './job-service.ts';
import { keepOutputs } from './keep-outputs.ts';
import { channelsNamed } from './start.ts';
import type { Task, TaskEnding } from './task.ts';
import type { CheckStep } from './task-work.ts';

/** How often a finished job is polled while its outputs are missing or incomplete (faults J7, J14). */
const maxOutputPolls = 3;

/** Polls a started job once, and fetches the outputs of a finished one. */
export async function checkTask(service: JobService, task: Task): Promise<CheckStep> {
  const outcome = await poll(service, task);
  const lost = failedWith('upstream_error', { channel: task.channelId });
  if (outcome === null || outcome.kind === 'gone') {
    const cause =
      outcome === null ? 'the configuration has no such channel' : 'the upstream knows no such job';
    service.log.warn({ task_id: task.id, channel: task.channelId, cause }, 'look');
    return { kind: 'unclear', afterMs: null, ending: lost };
  }
  if (outcome.kind === 'failure') {
    service.log.warn({ task_id: task.id, channel: task.channelId, cause: outcome }, 'look');
    return { kind: 'unclear', afterMs: pollWaitMs(outcome.retryAfterMs), ending: lost };
  }
  const { state } = outcome;
  const afterMs = pollWaitMs(outcome.askAgainMs);
  switch (state.kind) {
    // A job that has run does not return to the queue, whatever its upstream reports (fault J6). So both states count as
    // running.
    case 'waiting':
    case 'running':
      return { kind: 'running', afterMs };
    case 'failed':
      return { kind: 'ended', ending: failedUpstream(state.reason, task.channelId) };
    case 'done': {
      if (state.outputs.length < outputsOf(task)) {
        const isLast = task.pollTries >= maxOutputPolls - 1;
        return isLast ? { kind: 'ended', ending: lost } : { kind: 'unclear', afterMs, ending: lost };
      }
      const ending = await succeeded(service, task, state.outputs);
      return ending === null ? { kind: 'unclear', afterMs, ending: lost } : { kind: 'ended', ending };
    }
  }
}

/** Polls the job; null if the configuration no longer has its channel. */
async function poll(service: JobService, task: Task): Promise<PollOutcome | null> {
  const { channelId, nativeId } = task;
  if (channelId === null || nativeId === null) throw new Error(`${task.id} has no job to poll`);
  const [live] = channelsNamed(service, task, channelId);
  if (live === undefined) return null;
  const { dialect, baseUrl, apiKey } = live.channel;
  const target = { baseUrl, apiKey, gone: new AbortController().signal };
  return await jobPartsOf(dialect).dialect.poll(service.upstreams, target, nativeId);
}

/** The minimum number of outputs: images of a grid, stems of a song, and one for every other job. */
function outputsOf({ model, action }: Task): number {
  if (model === 'journey-v7') return action === 'upscale' ? 1 : 4;
  return action === 'stem' ? 2 : 1;
}

/** The ending by the outputs of a job; null if they could not be fetched whole. */
async function succeeded(
  service: JobService,
  task: Task,
  outputs: readonly JobOutput[],
): Promise<TaskEnding | null> {
  const kept = await keepOutputs(service, task, outputs, outputsOf(task));
  if (kept === null) return null;
  const results = kept.map(({ file }) => ({ file: file.name }));
  const durationSec = lengthOf(task, outputs, kept);
  return coverEnding(service, task, { status: 'SUCCESS', results, durationSec });
}

/** Whole seconds as the upstream reports (fault J15), else as its files say, else as requested; null if nobody knows. */
function lengthOf(
  { medium, fields }: Task,
  outputs: readonly JobOutput[],
  kept: readonly { readonly what: string; readonly seconds: number | null }[],
): number | null {
  const isTimed = kept.some(({ what }) => what === 'video' || what === 'audio');
  if (medium === 'image' || !isTimed) return null;
  const measured = longest(kept.map(({ seconds }) => seconds));
  const asked = typeof fields.duration === 'number' ? fields.duration : null;
  const reported = longest(outputs.map(({ durationSec }) => durationSec));
  if (reported === null) {
    const length = measured ?? asked;
    return length === null ? null : Math.max(1, Math.round(length));
  }
  return isInMs(reported, [measured, asked]) ? Math.round(reported / 1000) : reported;
}

function longest(lengths: readonly (number | null)[]): number | null {
  const known = lengths.filter((length) => length !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Whether a length is one in milliseconds, as the file or the request shows: some upstreams count in these. */
function isInMs(reported: number, known: readonly (number | null)[]): boolean {
  return (
    reported >= 1000 && known.some((length) => length !== null && Math.abs(reported / 1000 - length) <= 1)
  );
}
