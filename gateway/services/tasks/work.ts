import type { TaskWork } from '../../tasks/task-work.ts';
import type { Gateway } from '../gateway.ts';
import { settleTask } from './charge.ts';
import { checkTask } from './check.ts';
import { startTask } from './start.ts';

/** What tasks need of the gateway that they are a part of. */
export function createTaskWork(gateway: () => Gateway): TaskWork {
  return {
    start: (task, noteChannel) => startTask(gateway(), task, noteChannel),
    check: (task) => checkTask(gateway(), task),
    settle: (task, ending, atMs) => settleTask(gateway(), task, ending, atMs),
    forget: async ({ ending }) => {
      const results = ending?.status === 'SUCCESS' ? ending.results : [];
      for (const { file } of results) await gateway().mediaFiles.remove(file);
    },
  };
}
