import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { blockedSubmit } from '../../generators/blocked-submit.ts';
import { type NativeRejection, rejections } from '../../generators/native-rejections.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { restAll } from '../../steps/failures/served-again.ts';
import { imagesWay } from '../../steps/ways/way-in.ts';
import { waysServeAgain } from '../../steps/ways/ways-serve-again.ts';
import { type CodeRule, judgeFailingTask } from './failing-task.ts';

/** Upstreams of images and of jobs word their errors as chat-completions upstreams do. */
const rejected: readonly NativeRejection[] = rejections['chat-completions'];

export const mediaAccountIsOurMatter = defineCheck({
  id: 'err.upstream.media-account',
  title: 'a rejected gateway key or spent quota at the upstream of images or jobs is never the caller’s',
  requirements: ['ERR-010', 'ERR-027', 'ERR-006', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control'],
  // A gateway may rest a channel for minutes after such a failure.
  clock: 'jump',
  run: async (parts) => {
    const { target, rng, tasks, newScene } = parts;
    const videos = rng.shuffle(target.mediaModels.filter((id) => mediaModel(id)?.medium === 'video'));
    const pictures = rng.shuffle(target.mediaModelsOf('images'));
    // Each has a model of its own, so that none meets the rest of another's channel.
    await Promise.all([
      judgeBlockedTask(parts, videos.at(-1)),
      ...pairs(pictures).map(([model, rejection]) => judgePicture(parts, model, rejection)),
      ...pairs(videos).map(([model, rejection]) => judgeTask(parts, model, rejection)),
    ]);
    await restAll(parts);
    const ways = pairs(pictures).map(([model]) => imagesWay(model));
    await waysServeAgain(parts, ways, { requirement: 'ERR-010', aspect: 'recovers' });
    await Promise.all(
      pairs(videos).map(([model]) => tasks.make(newScene().minimalMedia(model), { label: `again ${model}` })),
    );
  },
});

function pairs(models: readonly string[]): (readonly [string, NativeRejection])[] {
  return rejected.flatMap((rejection, place) => {
    const model = models[place];
    return model === undefined ? [] : [[model, rejection] as const];
  });
}

async function judgePicture(
  { cases, newScene, images, judge }: CheckParts,
  model: string,
  { reply, meant = reply.status }: NativeRejection,
): Promise<void> {
  cases.count();
  const scene = newScene();
  await scene.script(reply);
  const label = `${model}, upstream ${JSON.stringify(reply.body)}`;
  const exchange = await images.generate(scene.minimalMedia(model), { label });
  judge.refused(exchange, {
    requirement: 'ERR-010',
    aspect: 'media-not-the-callers',
    codes: codesFor(meant),
  });
}

async function judgeTask(
  parts: CheckParts,
  model: string,
  { reply, meant = reply.status }: NativeRejection,
): Promise<void> {
  const scene = parts.newScene();
  await scene.script(reply);
  const label = `${model}, upstream ${JSON.stringify(reply.body)}`;
  const rule = { requirement: 'ERR-010', aspect: 'media-not-the-callers', codes: codesFor(meant) };
  await judgeFailingTask(parts, scene, model, { label, rule });
}

async function judgeBlockedTask(parts: CheckParts, model: string | undefined): Promise<void> {
  if (model === undefined) return;
  const scene = parts.newScene();
  await scene.script(blockedSubmit);
  const rule: CodeRule = { requirement: 'ERR-027', aspect: 'blocked-task', codes: ['content_filter'] };
  await judgeFailingTask(parts, scene, model, { label: `${model}, blocked`, rule });
}
