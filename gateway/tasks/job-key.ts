import type { Task } from '../services/tasks/task.ts';

/** The key that identifies one upstream job. */
export function jobKey(channelId: string, nativeId: string): string {
  return JSON.stringify([channelId, nativeId]);
}

/** The key of a task's job; null before the job is started. */
export function jobOf({ channelId, nativeId }: Pick<Task, 'channelId' | 'nativeId'>): string | null {
  return channelId === null || nativeId === null ? null : jobKey(channelId, nativeId);
}

/** The channel and the upstream's id in such a key. */
export function jobIn(key: string): { readonly channelId: string; readonly nativeId: string } {
  const [channelId = '', nativeId = '']: string[] = JSON.parse(key);
  return { channelId, nativeId };
}
