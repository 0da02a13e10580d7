import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must, part } from '../../rules/violation.ts';
import { scriptedAction, songAction, usableActions } from '../../steps/media/song.ts';
import { mediumMade, oneOfEachKind } from '../../steps/media/task-models.ts';

const rare = { job: { rare_layout: true } };

/** Players read such files, so that a gateway which looks into results may not take them for broken ones. */
export const rareLayouts: Check = defineCheck({
  id: 'task.results.rare-layout',
  title: 'a film with 64-bit lengths and a WAV with an odd chunk are results like others',
  requirements: ['TASK-018'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { target, newScene } = parts;
    const films = oneOfEachKind(target).filter((model) => mediumMade(model) === 'video');
    for (const model of films)
      await part(async () => {
        const scene = newScene();
        await scene.script(rare);
        await judgeMade(parts, scene.minimalMedia(model), model);
      });
    if (usableActions(target).some(({ name }) => name === 'wav'))
      await part(async () =>
        judgeMade(parts, await scriptedAction(parts, songAction('wav'), rare), 'song-v5, wav'),
      );
  },
});

async function judgeMade({ cases, tasks }: CheckParts, body: object, label: string): Promise<void> {
  cases.count();
  const submitted = await tasks.submit({ ...body }, { label });
  const { last } = await tasks.follow(tasks.accepted(submitted).taskId, { label });
  must(last.status === 'SUCCESS', {
    requirement: 'TASK-018',
    aspect: 'rare-layout',
    expected: `SUCCESS of ${label}, whose file is whole and of a rarer layout`,
    actual: last.status,
    exchange: last.exchange,
    twin: submitted,
  });
  await tasks.results(last);
}
