import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must } from '../../rules/violation.ts';
import { anyTaskModel } from '../../steps/media/task-models.ts';

const times = 12;

export const readingChangesNothing = defineCheck({
  id: 'task.read.changes-nothing',
  title: 'a task that is read often stays as it is, under way and at its end, and its job is started once',
  requirements: ['TASK-020', 'STATE-002'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const scene = kit.newScene();
    const model = anyTaskModel(kit);
    await scene.script({ job: { hold: 'running' } });
    const submitted = await kit.tasks.submit(scene.minimalMedia(model), { label: model });
    const { taskId } = kit.tasks.accepted(submitted);
    await kit.tasks.follow(taskId, { until: ({ status }) => status === 'RUNNING' });
    await readOften(kit, taskId, 'RUNNING');
    await scene.moveJob(await scene.job(), { end: 'success' });
    const { last } = await kit.tasks.follow(taskId);
    await readOften(kit, taskId, last.status);
    const { submits } = await scene.job();
    must(submits === 1, {
      requirement: 'TASK-020',
      aspect: 'no-effect-upstream',
      expected: 'a job that was submitted once',
      actual: `${submits} times`,
      exchange: last.exchange,
    });
  },
});

async function readOften(kit: CheckParts, taskId: string, status: string): Promise<void> {
  for (let time = 1; time <= times; time += 1) {
    const exchange = await kit.tasks.read(taskId, { label: `${status}, read ${time}` });
    const seen = kit.tasks.record(exchange, taskId);
    must(seen.status === status, {
      requirement: 'TASK-020',
      aspect: 'unchanged-by-reading',
      expected: `status ${status}, as its job stands`,
      actual: seen.status,
      exchange,
    });
  }
}
