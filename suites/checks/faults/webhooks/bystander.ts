import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Tasks } from '../../../engine/parts/tasks.ts';
import type { Scene } from '../../../engine/scene.ts';
import { must } from '../../../rules/violation.ts';
import { submitJob } from '../../../steps/media/held-task.ts';

/** A healthy task in flight, which false reports may name. */
interface Bystander {
  readonly taskId: string;
  readonly scene: Scene;
}

/** Starts a task on each model. Their jobs continue until they are scripted to end. */
export async function beginBystander(
  parts: CheckParts,
  models: readonly string[],
): Promise<readonly Bystander[]> {
  return Promise.all(
    [...new Set(models)].map(async (model) => {
      const { scene, taskId } = await submitJob(parts, model, { hold: 'running' });
      await scene.job();
      return { scene, taskId };
    }),
  );
}

/** Judges that they end as their own jobs do. */
export async function judgeBystander(tasks: Tasks, bystanders: readonly Bystander[]): Promise<void> {
  await Promise.all(
    bystanders.map(async ({ taskId, scene }) => {
      await scene.moveJob(await scene.job(), { end: 'success' });
      const { last } = await tasks.follow(taskId, { label: 'a task of which a report told lies' });
      must(last.status === 'SUCCESS', {
        requirement: 'STATE-005',
        aspect: 'fault-survived',
        expected: 'a task that ends as its own job does, whatever was reported of it under another name',
        actual: `${last.status} ${last.error?.code ?? ''}`,
        exchange: last.exchange,
      });
    }),
  );
}
