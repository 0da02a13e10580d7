import { defineCheck } from '../../engine/check.ts';
import { submitJob } from '../../steps/media/held-task.ts';
import { oneOfEachKind } from '../../steps/media/task-models.ts';
import { callersOf, holdCalls } from './held-calls.ts';

export const tasksHoldNoSlot = defineCheck({
  id: 'lim.slot.tasks',
  title: 'running tasks take no slot: with more of them than the cap, the whole cap is available',
  requirements: ['LIM-007'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { target, cases, tasks } = parts;
    const cap = target.profile.cap.value;
    const models = oneOfEachKind(target);
    const rule = { requirement: 'LIM-007', aspect: 'whole-cap-beside-tasks' };
    for (let count = 0; count < cap + 2; count += 1) {
      cases.count();
      const { taskId } = await submitJob(
        parts,
        models[count % models.length] ?? '',
        { hold: 'running' },
        rule,
      );
      await tasks.follow(taskId, { until: ({ status }) => status === 'RUNNING', rule });
    }
    const held = await holdCalls(parts, { callers: callersOf(cap), ...rule });
    await held.finish();
  },
});
