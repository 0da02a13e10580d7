import { fetchOutput, type KeptOutput } from '../../media/fetch-output.ts';
import type { JobOutput } from '../../upstreams/media/media-outcome.ts';
import type { JobService } from './job-service.ts';
import { channelsNamed } from './start.ts';
import type { Task } from './task.ts';

/** Actions whose outputs are not of the model's own medium. */
const wanted: Readonly<Record<string, KeptOutput['what']>> = {
  lyrics: 'text',
  mv: 'video',
  'cover-img': 'image',
};

/**
 * Fetches all outputs of a job and stores those of its kind: a thumbnail of a video is none. Returns null, and stores nothing, if
 * fewer than `least` are left, or one of them cannot be fetched whole.
 */
export async function keepOutputs(
  service: JobService,
  task: Task,
  outputs: readonly JobOutput[],
  least: number,
): Promise<readonly KeptOutput[] | null> {
  const { upstreams, clock, mediaFiles: files, maxMediaBytes: maxBytes, log } = service;
  const { id, action, medium, channelId } = task;
  const [live] = channelId === null ? [] : channelsNamed(service, task, channelId);
  const deps = { upstreams, clock, files, maxBytes, upstream: live?.channel ?? null };
  const want = (action === null ? undefined : wanted[action]) ?? medium;
  const kept: KeptOutput[] = [];
  const removed = async (all: readonly KeptOutput[]): Promise<null> => {
    for (const { file } of all) await files.remove(file.name);
    return null;
  };
  for (const { url } of outputs) {
    const gone = new AbortController().signal;
    const fetched = await fetchOutput(deps, { url, want }, gone);
    if (fetched.kind === 'kept') kept.push(fetched);
    if (fetched.kind === 'kept' || fetched.kind === 'other') continue;
    log.warn({ task_id: id, channel: channelId, cause: fetched }, 'output');
    return removed(kept);
  }
  return kept.length < least ? removed(kept) : kept;
}
