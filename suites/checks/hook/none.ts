import { type Check, defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import { judgeEnvelope } from '../../oracle/webhooks/judge-event.ts';
import { judgeNone } from '../../oracle/webhooks/one-event.ts';
import { readPayload } from '../../oracle/webhooks/payload.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { submitJob } from '../state/held-task.ts';
import { anyTaskModel, oneOfEachKind } from '../task/task-models.ts';
import { firstEvent, judged, judgedOnce, quiet, rulesOf, submitTold, type ToldTask } from './told-task.ts';

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
      ...(kit.media.models.includes('journey-v7') ? [endChild(kit, asked)] : []),
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
async function askedTask(kit: Kit): Promise<ToldTask> {
  const model = kit.media.models.includes('journey-v7') ? 'journey-v7' : anyTaskModel(kit);
  const task = await submitTold(kit, model, { job: { end: 'success' } });
  const { last } = await kit.media.follow(task.taskId);
  const event = await firstEvent(kit, task, { requirement: 'HOOK-001', aspect: 'sent-on-success' });
  judged(kit, event, { taskId: task.taskId, status: last.status, record: last });
  return task;
}

async function endUntold(kit: Kit, model: string, end: 'success' | 'failed'): Promise<void> {
  kit.countCase();
  const error = { code: 'internal_error', message: 'It broke.' };
  const { taskId } = await submitJob(kit, model, end === 'success' ? { end } : { end, error });
  await kit.media.follow(taskId);
}

/** A step that goes on from a task which named a URL, and names none itself. */
async function endChild(kit: Kit, { taskId }: ToldTask): Promise<void> {
  kit.countCase();
  const body = { model: 'journey-v7', action: 'upscale', parent_task_id: taskId, index: 1 };
  const submitted = await kit.media.submit(body, { label: 'a step without webhook_url' });
  await kit.media.follow(kit.media.accepted(submitted).taskId);
}

/** A picture is no task: it may name a URL, to which hardly anything is sent, and if so then signed (reading B-52). */
async function makePicture(kit: Kit): Promise<void> {
  const [model] = kit.media.models.filter((id) => ['kontext-pro', 'dream-4-0', 'alpha-image-2'].includes(id));
  if (model === undefined) return;
  kit.countCase();
  const legal = kit.media.minimal(model, kit.scene());
  const inbox = await kit.webhooks.inbox();
  const body = { ...legal, webhook_url: inbox.url() };
  const exchange = await kit.media.images(body, { label: `${model}, with webhook_url` });
  kit.media.pictured(exchange);
  await quiet(kit);
  for (const event of await inbox.eventsNow()) {
    kit.note('a picture is told of, too (reading B-52)');
    judgeEnvelope(event, rulesOf(kit));
  }
}

const chatIsUntold = defineCheck({
  id: 'sse.events.none',
  title: 'a chat call, streamed or not, tells nobody, and has no field to say whom',
  requirements: ['SSE-022'],
  kind: 'example',
  needs: ['webhooks.receiver'],
  run: async (kit) => {
    const earlier = await submitTold(kit, anyTaskModel(kit));
    await kit.media.follow(earlier.taskId);
    await firstEvent(kit, earlier, { requirement: 'HOOK-001', aspect: 'sent-on-success' });
    const inbox = await kit.webhooks.inbox();
    const model = kit.anyModel();
    for (const stream of [false, true]) {
      const body = { ...kit.scene().minimal(model), stream };
      const twin = await chatWith(kit, body, `stream ${stream}`);
      kit.countCase();
      const webhook = { webhook_url: inbox.url() };
      const label = `stream ${stream}, with webhook_url`;
      const exchange = await kit.chat({ ...body, ...webhook }, { label });
      if (kit.profile.chat.unknown_fields === 'reject') judgeRefused(kit, exchange, twin);
    }
    await quiet(kit);
    const own = (await earlier.inbox.eventsNow()).filter(
      (event) => readPayload(event).taskId !== earlier.taskId,
    );
    judgeNone([...(await inbox.eventsNow()), ...own], {
      requirement: 'SSE-022',
      aspect: 'chat-sends-nothing',
      expected: 'no event of a chat call',
    });
  },
});

async function chatWith(
  kit: Kit,
  body: Readonly<Record<string, unknown>> & { readonly model: string; readonly stream: boolean },
  label: string,
): Promise<Exchange> {
  kit.countCase();
  const exchange = await kit.chat({ ...body }, { label });
  const expected = { requirement: 'SSE-022', aspect: 'chat-answers', model: body.model };
  if (body.stream) kit.streamed(exchange, expected);
  else kit.completed(exchange, expected);
  return exchange;
}

function judgeRefused(kit: Kit, exchange: Exchange, twin: Exchange): void {
  kit.refused(exchange, {
    requirement: 'SSE-022',
    aspect: 'field-refused',
    codes: ['invalid_param'],
    param: 'webhook_url',
    paramRule: 'SSE-022',
    twin,
  });
}

export const noneChecks: readonly Check[] = [unaskedIsUntold];
/** In the area of streams. */
export const chatEventChecks: readonly Check[] = [chatIsUntold];
