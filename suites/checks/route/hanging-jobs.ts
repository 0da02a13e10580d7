import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { Untestable } from '../../rules/violation.ts';

/** Submissions that hang upstream at once. */
const hanging = 12;

const requirement = 'ROUTE-012';

export const hangingJobsAreOneModels = defineCheck({
  id: 'route.outage.hanging-jobs',
  title: `${hanging} submissions that hang at the upstream of one model leave tasks of another model alone`,
  requirements: [requirement],
  kind: 'concurrency',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { newScene, tasks, target, rng, judge } = parts;
    const models = target.mediaModelsOf('tasks').filter((id) => id.startsWith('vid'));
    const [ill, other] = rng.shuffle(models);
    if (ill === undefined || other === undefined) throw new Untestable('two video models');
    const scene = newScene();
    await scene.script({ gates: ['head'] });
    const submitted = await Promise.all(
      Array.from({ length: hanging }, (_, place) =>
        tasks.submit(scene.minimalMedia(ill), { label: `${ill}, hangs upstream, ${place + 1}` }),
      ),
    );
    const taskIds = submitted.map((exchange) => tasks.accepted(exchange).taskId);
    try {
      if (!(await scene.held(hanging))) judge.note(`fewer than ${hanging} submissions are made at once`);
      await Promise.all(
        [parts.keys.K1, parts.keys.K4].map((key) => (key ? judgeServed(parts, other, ill, key) : undefined)),
      );
    } finally {
      await scene.script({});
      await scene.release();
    }
    await Promise.all(taskIds.map((taskId) => tasks.follow(taskId, { label: `${ill}, let go` })));
  },
});

async function judgeServed(
  { cases, newScene, tasks, judge }: CheckParts,
  model: string,
  ill: string,
  key: string,
): Promise<void> {
  cases.count();
  const label = `${model}, while ${ill} hangs`;
  const submitted = await tasks.submit(newScene().minimalMedia(model), { key, label });
  const { last } = await tasks.watch(tasks.accepted(submitted).taskId, { key, label });
  if (last.status === 'SUCCESS') return;
  // The text says neither how many tasks start at once nor how soon, so this is advice.
  judge.advise({
    ...{ requirement, aspect: 'served-beside-hanging', exchange: last.exchange, twin: submitted },
    expected: `a task on ${model} that succeeds while ${hanging} others on ${ill} wait for their upstream`,
    actual: last.status,
  });
}
