import type { JobService } from './job-service.ts';
import type { Task } from './task.ts';

/** The parents of a job, by their upstream's ids. */
export interface NativeParents {
  readonly nativeIds: readonly string[];
  /**
   * The channel on which they were made, because only that upstream knows them; null for a job without parents.
   */
  readonly channelId: string | null;
}

const none: NativeParents = { nativeIds: [], channelId: null };

/**
 * The upstream's ids of a task's parents. Null if one is forgotten, or if they were made on different channels.
 */
export async function nativeParents({ findTask }: JobService, task: Task): Promise<NativeParents | null> {
  // A video from an earlier image is not a step of a chain: its upstream gets a link to the image.
  if (task.action === null || task.parents.length === 0) return none;
  const direct = task.parents.slice(task.action === 'mashup' ? -2 : -1);
  const found = await Promise.all(direct.map((id) => findTask(task.accountId, id)));
  const nativeIds = found.flatMap((parent) => parent?.nativeId ?? []);
  const channelIds = new Set(found.map((parent) => parent?.channelId ?? null));
  const [channelId = null] = channelIds;
  if (nativeIds.length < direct.length || channelId === null || channelIds.size > 1) return null;
  return { nativeIds, channelId };
}
