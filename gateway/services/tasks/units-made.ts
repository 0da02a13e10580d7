import type { Task, TaskEnding } from './task.ts';

/** The seconds billed for an output of which nobody knows the length: the shortest that an output is rounded to. */
const leastSeconds = 1;

/** Bills the actual output, not the requested one. A failed or expired task has none (reading B-43). */
export function unitsMade(unit: Task['price']['unit'], ending: TaskEnding): number {
  if (ending.status !== 'SUCCESS') return 0;
  switch (unit) {
    case 'image':
      return ending.results.length;
    case 'second':
      return ending.durationSec ?? leastSeconds;
    case 'task':
      return 1;
  }
}
