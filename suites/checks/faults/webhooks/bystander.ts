import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { Tasks } from '../../../engine/parts/tasks.ts';
import type { Scene } from '../../../engine/scene.ts';
import { submitJob } from '../../../steps/media/held-task.ts';
import { mustSucceed } from '../../../steps/media/must-succeed.ts';

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
      const { last } = await tasks.follow(taskId, { label: 'a task that a false report named' });
      const expected = 'a task that ends as its own job does, despite reports under another name';
      mustSucceed(last, { requirement: 'STATE-005', aspect: 'fault-survived', expected });
    }),
  );
}
