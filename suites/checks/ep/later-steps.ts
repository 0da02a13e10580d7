import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { Untestable } from '../../rules/violation.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { stepBody } from '../../steps/media/workflow.ts';

const requirement = 'EP-012';

/** The first steps of an account, before it loses the models that made them. */
interface First {
  readonly taskId: string;
  /** The later steps of the task, which have no marker but the id of its job. */
  readonly child: Scene;
  readonly later: Record<string, unknown>;
}

/** An account that may make first steps of two models, and then no longer use these. */
export const laterStepsAreTheAccounts = defineCheck({
  id: 'ep.models.later-steps',
  title: 'a later step of a model that is no longer enabled is refused; the task that it names still reads',
  requirements: [requirement],
  kind: 'example',
  needs: ['hooks.accounts', 'upstream.control'],
  run: async (parts) => {
    const { accounts, target, cases, tasks, judge } = parts;
    const all = [...target.models, ...target.mediaModels];
    const canExtend = Object.hasOwn(target.profile.song.actions, 'extend');
    const stepped = ['journey-v7', ...(canExtend ? ['song-v5'] : [])].filter((id) =>
      target.mediaModels.includes(id),
    );
    if (stepped.length === 0) throw new Untestable('models.enabled with journey-v7 or song-v5');
    const account = await accounts.create({ models: all });
    const { key } = account;
    const firsts = await Promise.all(stepped.map((model) => makeFirst(parts, model, key)));
    await account.change({ models: all.filter((id) => !stepped.includes(id)) });
    for (const { taskId, child, later } of firsts) {
      cases.count();
      const label = `${later.action} of ${later.model}, no longer enabled`;
      const exchange = await tasks.submit(later, { key, label });
      judge.refused(exchange, { requirement, aspect: 'later-step-not-usable', codes: ['model_not_found'] });
      await judgeNotForwarded(child, requirement, exchange);
      const again = await tasks.read(taskId, { key, label: 'the task of before' });
      tasks.record(again, taskId, { requirement, aspect: 'old-task-reads', twin: exchange });
    }
  },
});

async function makeFirst({ newScene, tasks }: CheckParts, model: string, key: string): Promise<First> {
  const scene = newScene();
  const { taskId } = await tasks.make(scene.minimalMedia(model), { key, label: `a task of ${model}` });
  const child = scene.child((await scene.job()).id);
  const extend = {
    model,
    action: 'extend',
    parent_task_id: taskId,
    duration: 30,
    prompt: newScene().prompt(),
  };
  return { taskId, child, later: model === 'song-v5' ? extend : stepBody('upscale', taskId, 1) };
}
