import { defineCheck } from '../../engine/check.ts';
import { judgeSameAgain } from './same-again.ts';
export const taskNotFoundIsItsOwn = defineCheck({
  id: 'err.code.task-not-found',
  title: 'an unknown or foreign task is answered 404 task_not_found, every time the same',
  requirements: ['ERR-028', 'ERR-007', 'ERR-008', 'ERR-013'],
  kind: 'example',
  needs: [],
  run: async ({ rng, judge, tasks, cases, keys, target, newScene }) => {
    const rule = { requirement: 'ERR-028', aspect: 'provoked', codes: ['task_not_found'] as const };
    const unknown = `task_${rng.hex(24)}`;
    const first = judge.refused(await tasks.read(unknown, { label: 'an unknown task' }), rule);
    for (let time = 0; time < 2; time += 1) {
      cases.count();
      const exchange = await tasks.read(unknown, { label: 'the same again' });
      judgeSameAgain(exchange, judge.refused(exchange, rule), first);
    }
    const { K3: k3 } = keys;
    if (k3 === undefined) {
      judge.note('keys.K3 is not declared: no foreign task was read');
      return;
    }
    const [model] = target.mediaModelsOf('tasks');
    const submitted = await tasks.submit(newScene().minimalMedia(model), { label: model });
    const { taskId } = tasks.accepted(submitted);
    judge.refused(await tasks.read(taskId, { key: k3, label: 'a foreign task' }), {
      ...rule,
      aspect: 'foreign',
      twin: submitted,
    });
  },
});
