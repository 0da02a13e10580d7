import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { blockedSubmit } from '../../generators/blocked-submit.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { must, part } from '../../rules/violation.ts';
import { charged } from '../../steps/money/priced-call.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { mustBeFree } from './made.ts';

const requirement = 'BILL-008';

/** Job endings without a result that do not mean a broken upstream. */
const ends = [
  { end: 'failed', error: { code: 'content_policy_violation', message: 'Not this.' } },
  { end: 'failed', error: { code: 'invalid_input', message: 'Not so.' } },
  { end: 'canceled' },
] as const;

export const failedTasksAreFree = defineCheck({
  id: 'bill.media.failed',
  title: 'failed tasks, blocked images and refused media requests cost nothing',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    const { target, cases, newScene, images, judge } = parts;
    const served = target.mediaModels;
    const tasks = ['vidB2', 'journey-v7', 'song-v5', 'voice-music'].filter((id) => served.includes(id));
    for (const [place, model] of tasks.entries()) {
      for (const job of cases.full ? ends : [ends[place % ends.length] ?? ends[0]]) {
        await judgeFree(parts, `${model}, job ${job.end}`, async () => {
          const scene = newScene();
          await scene.script({ job });
          const submitted = await parts.tasks.submit(scene.minimalMedia(model), { label: model });
          const { last } = await parts.tasks.follow(parts.tasks.accepted(submitted).taskId);
          must(last.status === 'FAILED', {
            requirement,
            aspect: 'failed-task',
            expected: 'status FAILED of a task whose job has no result',
            actual: last.status,
            exchange: last.exchange,
            twin: submitted,
          });
          return submitted;
        });
      }
    }
    for (const model of tasks) await part(() => judgeFailedStep(parts, model));
    for (const model of served
      .filter((id) => mediaModel(id)?.endpoint === 'images')
      .slice(0, cases.full ? 8 : 2)) {
      await judgeFree(parts, `${model}, blocked`, async () => {
        const scene = newScene();
        await scene.script(blockedSubmit);
        const exchange = await images.generate(scene.minimalMedia(model), {
          label: `${model}, blocked`,
        });
        judge.refused(exchange, { requirement, aspect: 'failed-images', codes: ['content_filter'] });
        return exchange;
      });
    }
    for (const endpoint of ['images', 'tasks'] as const) {
      await judgeFree(parts, `${endpoint}, refused`, () => {
        const [model] = target.mediaModelsOf(endpoint);
        const body = { ...newScene().minimalMedia(model), zz_unknown_field: 1 };
        return endpoint === 'images' ? images.generate(body) : parts.tasks.submit(body);
      });
    }
  },
});

/** The later step of each model that has steps. */
const laterSteps: Readonly<Record<string, object>> = {
  'journey-v7': { action: 'variation', index: 1 },
  'song-v5': { action: 'cover' },
};

/** A later step that fails is free, though the task that it builds on was paid. */
async function judgeFailedStep(parts: CheckParts, model: string): Promise<void> {
  const { target, newScene, tasks } = parts;
  const step = laterSteps[model];
  if (step === undefined || (model === 'song-v5' && target.profile.song.actions.cover === undefined)) return;
  const scene = newScene();
  const { taskId } = await tasks.make(scene.minimalMedia(model));
  // Without a prompt an upstream knows a step by its parent.
  await scene.child((await scene.job()).id).script({ job: ends[1] });
  const send = async (): Promise<Exchange> => {
    const submitted = await tasks.submit(
      { model, ...step, parent_task_id: taskId },
      { label: 'a later step' },
    );
    const { last } = await tasks.follow(tasks.accepted(submitted).taskId);
    const expected = 'status FAILED of a step whose job has no result';
    const actual = last.status;
    must(actual === 'FAILED', {
      requirement,
      aspect: 'failed-task',
      expected,
      actual,
      exchange: last.exchange,
    });
    return submitted;
  };
  parts.cases.count();
  const paid = await charged(parts.meter, send);
  mustBeFree(paid, { requirement, aspect: 'failed-step-free' }, `a later step of ${model} that failed`);
}

async function judgeFree(
  { cases, meter }: CheckParts,
  what: string,
  send: () => Promise<Exchange>,
): Promise<void> {
  cases.count();
  mustBeFree(await charged(meter, send), { requirement, aspect: 'failed-media-free' }, what);
}
