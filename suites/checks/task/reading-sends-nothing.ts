import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { distinctEvents, judgeNone } from '../../oracle/webhooks/one-event.ts';
import { anyTaskModel } from '../../steps/media/task-models.ts';
import { firstEvent, quiet, submitObserved } from '../../steps/webhooks/observed-task.ts';

const times = 6;

export const readingSendsNothing = defineCheck({
  id: 'task.read.no-event',
  title: 'reading a task sends no webhook, running or ended, whatever key it is read with',
  requirements: ['TASK-020'],
  kind: 'upstream',
  needs: ['webhooks.receiver', 'upstream.control'],
  run: async (parts) => {
    const { tasks, target, webhooks } = parts;
    const task = await submitObserved(parts, anyTaskModel(target), { job: { hold: 'running' } });
    const { inbox, scene, taskId } = task;
    const until = ({ status }: { status: string }): boolean => status === 'RUNNING';
    await tasks.follow(taskId, { until });
    await readOften(parts, taskId);
    await quiet(parts);
    const rule = { requirement: 'TASK-020', aspect: 'reading-sends-nothing' };
    judgeNone(await inbox.eventsNow(), { ...rule, expected: 'no event of a task that was read as it runs' });
    await scene.moveJob(await scene.job(), { end: 'success' });
    await tasks.follow(taskId);
    await firstEvent(webhooks, task, { requirement: 'HOOK-001', aspect: 'sent-on-success' });
    await readOften(parts, taskId);
    await quiet(parts);
    const more = distinctEvents(await inbox.eventsNow()).slice(1);
    judgeNone(more, { ...rule, expected: 'no second event of a task that was read after its end' });
  },
});

async function readOften(parts: CheckParts, taskId: string): Promise<void> {
  const { K1: k1, K2: k2, K4: k4 } = parts.keys;
  const keys = [k1, k2, k4].filter((key) => key !== undefined);
  for (let time = 0; time < times; time += 1)
    await Promise.all(
      keys.map(async (key) =>
        parts.tasks.record(await parts.tasks.read(taskId, { key, label: 'read once more' }), taskId),
      ),
    );
}
