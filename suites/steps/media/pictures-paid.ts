import type { TaskRecord } from '../../oracle/media/task-answer.ts';

/** Pictures in a grid of journey-v7. */
const grid = 4;

/** How many pictures a task made; a grid that is one composed picture may count as each of its own (reading B-64). */
export function picturesPaid(
  model: string,
  { action }: Readonly<Record<string, unknown>>,
  { resultUrls: { length } }: TaskRecord,
): readonly number[] {
  return model === 'journey-v7' && action !== 'upscale' && length === 1 ? [1, grid] : [length];
}
