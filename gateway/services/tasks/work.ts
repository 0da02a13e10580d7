import type { Tracing } from '../../tracing/tracing.ts';
import { settleTask } from './charge.ts';
import { checkTask } from './check.ts';
import { releaseCover } from './cover.ts';
import type { JobService } from './job-service.ts';
import { startTask } from './start.ts';
import type { Task } from './task.ts';
import type { TaskWork } from './task-work.ts';

/** The steps of tasks: start, poll and charge their jobs, and remove their outputs. */
export function createTaskWork(service: JobService, tracing: Pick<Tracing, 'onBehalf'> | null): TaskWork {
  const traced = <Step>(task: Task, step: () => Promise<Step>): Promise<Step> =>
    tracing === null ? step() : tracing.onBehalf(task.requestId, step);
  return {
    start: (task, noteChannel) => traced(task, () => startTask(service, task, noteChannel)),
    check: (task) => traced(task, () => checkTask(service, task)),
    settle: async (task, ending, atMs) => {
      await settleTask(service, task, ending, atMs);
      await releaseCover(service, task, atMs);
    },
    forget: async ({ ending }) => {
      const results = ending?.status === 'SUCCESS' ? ending.results : [];
      for (const { file } of results) await service.mediaFiles.remove(file);
    },
  };
}
