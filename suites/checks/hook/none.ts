import { defineCheck } from '../../engine/check.ts';
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
  type ObservedTask,
  quiet,
  rulesOf,
  submitObserved,
} from '../../steps/webhooks/observed-task.ts';

/** No webhook_url, not even one of an inbox that is read after the check. */
const silent = { webhook_url: undefined } as const;

export const unaskedIsUntold = defineCheck({
  id: 'hook.none.unasked',
  title: 'a task without webhook_url sends no event, not even to the URL of an earlier task',
  requirements: ['HOOK-002', 'HOOK-004'],
  kind: 'upstream',
  needs: ['webhooks.receiver', 'upstream.control'],
  run: async (parts) => {
    const { target, judge } = parts;
    const asked = await askedTask(parts);
    await Promise.all([
      ...oneOfEachKind(target).map((model) => endUntold(parts, model, 'success')),
      endUntold(parts, anyTaskModel(target), 'failed'),
      ...(target.mediaModels.includes('journey-v7') ? [endChild(parts, asked)] : []),
      makePicture(parts),
    ]);
    await quiet(parts);
    const events = await asked.inbox.eventsNow();
    const others = events.filter((event) => readPayload(event).taskId !== asked.taskId);
    judgeNone(others, {
      requirement: 'HOOK-002',
      aspect: 'none-unasked',
      expected: 'nothing of a task without webhook_url',
    });
    await judgedOnce(judge, asked);
  },
});

/** A task with a webhook_url, which could be mistaken for another task's. */
async function askedTask(parts: CheckParts): Promise<ObservedTask> {
  const { target, tasks, webhooks } = parts;
  const model = target.mediaModels.includes('journey-v7') ? 'journey-v7' : anyTaskModel(target);
  const task = await submitObserved(parts, model, { job: { end: 'success' } });
  const { last } = await tasks.follow(task.taskId);
  const event = await firstEvent(webhooks, task, { requirement: 'HOOK-001', aspect: 'sent-on-success' });
  judged(parts, event, { taskId: task.taskId, status: last.status, record: last });
  return task;
}

async function endUntold(parts: CheckParts, model: string, end: 'success' | 'failed'): Promise<void> {
  parts.cases.count();
  const error = { code: 'internal_error', message: 'It broke.' };
  const job = end === 'success' ? { end } : { end, error };
  const { taskId } = await submitJob(parts, model, job, {}, silent);
  await parts.tasks.follow(taskId);
}

/** A step without a webhook_url whose parent named one. */
async function endChild({ cases, tasks }: CheckParts, { taskId }: ObservedTask): Promise<void> {
  cases.count();
  const body = { model: 'journey-v7', action: 'upscale', parent_task_id: taskId, index: 1, ...silent };
  const submitted = await tasks.submit(body, { label: 'a step without webhook_url' });
  await tasks.follow(tasks.accepted(submitted).taskId);
}

/** An image is not a task: it may have a webhook_url, and any event must be signed (reading B-52). */
async function makePicture(parts: CheckParts): Promise<void> {
  const { cases, newScene, webhooks, images, judge, target } = parts;
  const model = anyPictureModel(target);
  if (model === undefined) return;
  cases.count();
  const legal = newScene().minimalMedia(model);
  const inbox = await webhooks.inbox();
  const body = { ...legal, webhook_url: inbox.url() };
  const exchange = await images.generate(body, { label: `${model}, with webhook_url` });
  images.pictured(exchange);
  await quiet(parts);
  for (const event of await inbox.eventsNow()) {
    judge.note('images send events, too (reading B-52)');
    judgeEnvelope(event, rulesOf(parts));
  }
}
