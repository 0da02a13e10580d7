import type { JobService } from './job-service.ts';
import type { Task } from './task.ts';

/** What a job builds on, as its upstream knows it. */
export interface NativeParents {
  readonly nativeIds: readonly string[];
  /** The channel that they were made on, which alone knows them; null for a job that builds on none. */
  readonly channelId: string | null;
}

const none: NativeParents = { nativeIds: [], channelId: null };

/** The parents of a task upstream; null when one of them is gone, or was made elsewhere than another. */
export async function nativeParents({ findTask }: JobService, task: Task): Promise<NativeParents | null> {
  // A video from an earlier picture is no step of a chain: its upstream gets a link.
  if (task.action === null || task.parents.length === 0) return none;
  const direct = task.parents.slice(task.action === 'mashup' ? -2 : -1);
  const found = await Promise.all(direct.map((id) => findTask(task.accountId, id)));
  const nativeIds = found.flatMap((parent) => parent?.nativeId ?? []);
  const channelIds = new Set(found.map((parent) => parent?.channelId ?? null));
  const [channelId = null] = channelIds;
  if (nativeIds.length < direct.length || channelId === null || channelIds.size > 1) return null;
  return { nativeIds, channelId };
}
