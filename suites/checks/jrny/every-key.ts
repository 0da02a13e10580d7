import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { Untestable } from '../../rules/violation.ts';
import { actionBody, generateBody, usableActions } from '../../steps/media/song.ts';
import { imagineBody, stepBody } from '../../steps/media/workflow.ts';

/** A request that builds on an earlier task, with the rule that it is accepted. */
interface Later {
  readonly requirement: 'JRNY-015' | 'SONG-006' | 'VID-009';
  readonly body: () => Record<string, unknown>;
}

export const everyKey: Check = defineCheck({
  id: 'jrny.parents.every-key',
  title: 'every key of the account builds on its grids, songs and pictures, whichever key made them',
  requirements: ['JRNY-015', 'SONG-006', 'VID-009'],
  kind: 'metamorphic',
  needs: [],
  run: async (parts) => {
    const { keys, tasks, cases } = parts;
    const { K2: k2, K4: k4, K5: k5 } = keys;
    const others = Object.entries({ K2: k2, K4: k4, K5: k5 });
    if (others.every(([, key]) => key === undefined)) throw new Untestable('keys.K2');
    const later = await laterOf(parts);
    for (const [name, key] of others) {
      if (key === undefined) continue;
      for (const { requirement, body } of later) {
        cases.count();
        const exchange = await tasks.submit(body(), { key, label: `a later step with ${name}` });
        tasks.accepted(exchange, { requirement, aspect: 'other-key-accepted' });
      }
    }
  },
});

/** What goes on from tasks of K1, where the models are enabled. */
async function laterOf(parts: CheckParts): Promise<readonly Later[]> {
  const { target, tasks, newScene } = parts;
  const isEnabled = (model: string): boolean => target.mediaModels.includes(model);
  const grid = await tasks.make(imagineBody(parts));
  const later: Later[] = [{ requirement: 'JRNY-015', body: () => stepBody('upscale', grid.taskId, 1) }];
  if (isEnabled('vidA-3.1-quality')) {
    const image = { task_id: grid.taskId };
    later.push({
      requirement: 'VID-009',
      body: () => ({ ...newScene().minimalMedia('vidA-3.1-quality'), image }),
    });
  }
  const action = usableActions(target).find(({ parent, inputs }) => parent === 'one' && inputs === 'plain');
  if (action === undefined || !isEnabled('song-v5')) return later;
  const { taskId } = await tasks.make(generateBody(parts));
  const parents: [string, string] = [taskId, taskId];
  later.push({
    requirement: 'SONG-006',
    body: () => actionBody(parts, action, { scene: newScene(), parents }),
  });
  return later;
}
