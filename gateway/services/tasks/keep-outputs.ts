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
 * Fetches all outputs of a job and stores them. Returns null, and stores nothing, if one of them cannot be fetched
 * whole.
 */
export async function keepOutputs(
  service: JobService,
  task: Task,
  outputs: readonly JobOutput[],
): Promise<readonly KeptOutput[] | null> {
  const { upstreams, clock, mediaFiles: files, maxMediaBytes: maxBytes, log } = service;
  const { id, action, medium, channelId } = task;
  const [live] = channelId === null ? [] : channelsNamed(service, task, channelId);
  const deps = { upstreams, clock, files, maxBytes, upstreamUrl: live?.channel.baseUrl ?? null };
  const want = (action === null ? undefined : wanted[action]) ?? medium;
  const kept: KeptOutput[] = [];
  for (const { url } of outputs) {
    const gone = new AbortController().signal;
    const fetched = await fetchOutput(deps, { url, want }, gone);
    if (fetched.kind === 'kept') {
      kept.push(fetched);
      continue;
    }
    log.warn({ task_id: id, channel: channelId, cause: fetched }, 'output');
    for (const { file } of kept) await files.remove(file.name);
    return null;
  }
  return kept;
}
