import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { mediaModels } from '../../oracle/media/models.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { Untestable } from '../../rules/violation.ts';
import { actionBody, generateBody, makeSong, songAction, usableActions } from '../../steps/media/song.ts';
import { imagineBody, makeStep, type StepName, stepBody } from '../../steps/media/workflow.ts';
import {
  firstEvent,
  judged,
  judgedOnce,
  type ObserveOptions,
  submitObserved,
} from '../../steps/webhooks/observed-task.ts';
import type { Exchange } from '../../wire/exchange.ts';

type Body = Readonly<Record<string, unknown>>;

/** An ended step. */
interface Made {
  readonly taskId: string;
  readonly last: TaskRecord;
  readonly submitted: Exchange;
}

const failed = { end: 'failed', error: { code: 'invalid_input', message: 'It does not fit.' } } as const;

export const everyModel = defineCheck({
  id: 'hook.models.all',
  title: 'every task model sends a webhook at the end of a task, also where its job fails',
  requirements: ['HOOK-017', 'HOOK-013', 'HOOK-004'],
  kind: 'example',
  needs: ['webhooks.receiver', 'media.image_urls', 'media.video_urls', 'media.audio_urls', 'media.voices'],
  tenants: { quick: 2, full: 2 },
  run: async (parts) => {
    const tasks = mediaModels.filter(({ endpoint }) => endpoint === 'tasks').map(({ id }) => id);
    const models = tasks.filter((id) => parts.target.mediaModels.includes(id));
    if (models.length === 0) throw new Untestable('models.enabled with a model of the tasks endpoint');
    const isRun = parts.target.profile.upstream !== undefined;
    const ends: readonly ObserveOptions[] = isRun ? [{}, { job: failed }] : [{}];
    // Failures come last: a gateway may rest a channel after some of them.
    for (const end of ends)
      await Promise.all(models.map((model, place) => judgeModel(parts, model, place, end)));
    const missing = tasks.filter((id) => !models.includes(id));
    if (missing.length > 0) parts.judge.note(`not enabled, and not judged: ${missing.join(', ')}`);
  },
});

export const everyStep = defineCheck({
  id: 'hook.models.steps',
  title: 'each song action and each journey step sends a webhook for its own end and nothing else',
  requirements: ['HOOK-017', 'HOOK-013', 'HOOK-004'],
  kind: 'example',
  needs: ['webhooks.receiver'],
  run: async (parts) => {
    const has = (model: string): boolean => parts.target.mediaModels.includes(model);
    if (!has('song-v5') && !has('journey-v7'))
      throw new Untestable('models.enabled with song-v5 or journey-v7');
    await Promise.all([
      ...(has('song-v5') ? [judgeSongs(parts)] : []),
      ...(has('journey-v7') ? [judgeJourney(parts)] : []),
    ]);
  },
});

async function judgeModel(
  parts: CheckParts,
  model: string,
  place: number,
  end: ObserveOptions,
): Promise<void> {
  const { tenants, webhooks } = parts;
  const tenant = tenants[place % tenants.length] ?? tenants[0];
  const task = await submitObserved(parts, model, { tenant, ...end });
  const { last } = await tenant.tasks.follow(task.taskId, { label: `${model}, to its end` });
  const aspect = last.status === 'FAILED' ? 'every-model-failed' : 'every-model';
  const event = await firstEvent(webhooks, task, { requirement: 'HOOK-017', aspect });
  judged(parts, event, { taskId: task.taskId, status: last.status, record: last }, tenant);
}

async function judgeSongs(parts: CheckParts): Promise<void> {
  const make = (name: string, body: Body): Promise<Made> =>
    observed(parts, name, body, (whole) => makeSong(parts, songAction(name), whole));
  const bodies = [generateBody(parts), generateBody(parts)];
  const [first, second] = await Promise.all(bodies.map((body) => make('generate', body)));
  const parents: [string, string] = [first?.taskId ?? '', second?.taskId ?? ''];
  await Promise.all(
    usableActions(parts.target)
      .filter(({ name }) => name !== 'generate')
      .map((action) => make(action.name, actionBody(parts, action, { scene: parts.newScene(), parents }))),
  );
}

async function judgeJourney(parts: CheckParts): Promise<void> {
  const make = (name: StepName, body: Body): Promise<Made> =>
    observed(parts, name, body, (whole) => makeStep(parts, name, whole));
  const { taskId } = await make('imagine', imagineBody(parts));
  await Promise.all([
    make('upscale', stepBody('upscale', taskId, 2)),
    make('variation', stepBody('variation', taskId, 3)),
    make('reroll', stepBody('reroll', taskId)),
  ]);
}

/** Makes a step with a webhook_url, and judges its event. */
async function observed(
  parts: CheckParts,
  name: string,
  body: Body,
  make: (whole: Body) => Promise<Made>,
): Promise<Made> {
  const { webhooks, judge } = parts;
  const inbox = await webhooks.inbox();
  const made = await make({ ...body, webhook_url: inbox.url() });
  const task = { inbox, submitted: made.submitted, model: name };
  const event = await firstEvent(webhooks, task, { requirement: 'HOOK-017', aspect: 'every-step' });
  judged(parts, event, { taskId: made.taskId, status: made.last.status, record: made.last });
  await judgedOnce(judge, task);
  return made;
}
