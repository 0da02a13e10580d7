import type { Task } from '../services/tasks/task.ts';

/** What tells one job upstream from all others. */
export function jobKey(channelId: string, nativeId: string): string {
  return JSON.stringify([channelId, nativeId]);
}

/** That of a task; null before it is started. */
export function jobOf({ channelId, nativeId }: Pick<Task, 'channelId' | 'nativeId'>): string | null {
  return channelId === null || nativeId === null ? null : jobKey(channelId, nativeId);
}

/** The upstream's id and the channel that such a key was made of. */
export function jobIn(key: string): { readonly channelId: string; readonly nativeId: string } {
  const [channelId = '', nativeId = '']: string[] = JSON.parse(key);
  return { channelId, nativeId };
}
