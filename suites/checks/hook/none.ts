import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { judgeEnvelope } from '../../oracle/webhooks/judge-event.ts';
import { judgeNone } from '../../oracle/webhooks/one-event.ts';
import { readPayload } from '../../oracle/webhooks/payload.ts';
import { submitJob } from '../../steps/media/held-task.ts';
import { anyPictureModel, anyTaskModel, oneOfEachKind } from '../../steps/media/task-models.ts';
import {
  firstEvent,
  judged,
  judgedOnce,
  quiet,
  rulesOf,
  submitTold,
  type ToldTask,
} from '../../steps/webhooks/told-task.ts';

const unaskedIsUntold = defineCheck({
  id: 'hook.none.unasked',
  title:
    'a task without webhook_url tells nobody, not even where an earlier task of the account, or its own parent, named a URL',
  requirements: ['HOOK-002', 'HOOK-004'],
  kind: 'upstream',
  needs: ['webhooks.receiver', 'upstream.control'],
  run: async (kit) => {
    const asked = await askedTask(kit);
    await Promise.all([
      ...oneOfEachKind(kit).map((model) => endUntold(kit, model, 'success')),
      endUntold(kit, anyTaskModel(kit), 'failed'),
      ...(kit.target.mediaModels.includes('journey-v7') ? [endChild(kit, asked)] : []),
      makePicture(kit),
    ]);
    await quiet(kit);
    const events = await asked.inbox.eventsNow();
    const others = events.filter((event) => readPayload(event).taskId !== asked.taskId);
    judgeNone(others, {
      requirement: 'HOOK-002',
      aspect: 'none-unasked',
      expected: 'nothing of a task without webhook_url',
    });
    await judgedOnce(kit, asked);
  },
});

/** A task that is told of, so that there is a URL to be mistaken for that of another one. */
async function askedTask(kit: CheckParts): Promise<ToldTask> {
  const model = kit.target.mediaModels.includes('journey-v7') ? 'journey-v7' : anyTaskModel(kit);
  const task = await submitTold(kit, model, { job: { end: 'success' } });
  const { last } = await kit.tasks.follow(task.taskId);
  const event = await firstEvent(kit, task, { requirement: 'HOOK-001', aspect: 'sent-on-success' });
  judged(kit, event, { taskId: task.taskId, status: last.status, record: last });
  return task;
}

async function endUntold(kit: CheckParts, model: string, end: 'success' | 'failed'): Promise<void> {
  kit.cases.count();
  const error = { code: 'internal_error', message: 'It broke.' };
  const { taskId } = await submitJob(kit, model, end === 'success' ? { end } : { end, error });
  await kit.tasks.follow(taskId);
}

/** A step that goes on from a task which named a URL, and names none itself. */
async function endChild(kit: CheckParts, { taskId }: ToldTask): Promise<void> {
  kit.cases.count();
  const body = { model: 'journey-v7', action: 'upscale', parent_task_id: taskId, index: 1 };
  const submitted = await kit.tasks.submit(body, { label: 'a step without webhook_url' });
  await kit.tasks.follow(kit.tasks.accepted(submitted).taskId);
}

/** A picture is no task: it may name a URL, to which hardly anything is sent, and if so then signed (reading B-52). */
async function makePicture(kit: CheckParts): Promise<void> {
  const model = anyPictureModel(kit);
  if (model === undefined) return;
  kit.cases.count();
  const legal = kit.newScene().minimalMedia(model);
  const inbox = await kit.webhooks.inbox();
  const body = { ...legal, webhook_url: inbox.url() };
  const exchange = await kit.images.generate(body, { label: `${model}, with webhook_url` });
  kit.images.pictured(exchange);
  await quiet(kit);
  for (const event of await inbox.eventsNow()) {
    kit.judge.note('a picture is told of, too (reading B-52)');
    judgeEnvelope(event, rulesOf(kit));
  }
}

export const noneChecks: readonly Check[] = [unaskedIsUntold];
