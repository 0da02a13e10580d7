import { defineCheck } from '../../engine/check.ts';
import type { Tasks } from '../../engine/parts/tasks.ts';
import { must } from '../../rules/violation.ts';
import { anyTaskModel } from '../../steps/media/task-models.ts';

const times = 12;

export const readingChangesNothing = defineCheck({
  id: 'task.read.changes-nothing',
  title: 'polling a task often changes nothing, running or ended, and starts its job only once',
  requirements: ['TASK-020', 'STATE-002'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ newScene, tasks, target }) => {
    const scene = newScene();
    const model = anyTaskModel(target);
    await scene.script({ job: { hold: 'running' } });
    const submitted = await tasks.submit(scene.minimalMedia(model), { label: model });
    const { taskId } = tasks.accepted(submitted);
    await tasks.follow(taskId, { until: ({ status }) => status === 'RUNNING' });
    await readOften(tasks, taskId, 'RUNNING');
    await scene.moveJob(await scene.job(), { end: 'success' });
    const { last } = await tasks.follow(taskId);
    await readOften(tasks, taskId, last.status);
    const { submits } = await scene.job();
    const rule = { requirement: 'TASK-020', aspect: 'no-effect-upstream', exchange: last.exchange };
    must(submits === 1, { ...rule, expected: 'a job that was submitted once', actual: `${submits} times` });
  },
});

async function readOften(tasks: Tasks, taskId: string, status: string): Promise<void> {
  for (let time = 1; time <= times; time += 1) {
    const exchange = await tasks.read(taskId, { label: `${status}, read ${time}` });
    const seen = tasks.record(exchange, taskId);
    const rule = { requirement: 'TASK-020', aspect: 'unchanged-by-reading', exchange };
    const expected = `status ${status}, as its job stands`;
    must(seen.status === status, { ...rule, expected, actual: seen.status });
  }
}
