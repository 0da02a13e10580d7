import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { streamAccepted } from '../../oracle/accepted.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { judgeNone } from '../../oracle/webhooks/one-event.ts';
import { readPayload } from '../../oracle/webhooks/payload.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { anyTaskModel } from '../../steps/media/task-models.ts';
import { firstEvent, quiet, submitObserved } from '../../steps/webhooks/observed-task.ts';
import type { Exchange } from '../../wire/exchange.ts';

const rule = { requirement: 'SSE-015', aspect: 'plain-error' };

/** Ways in which an upstream fails before its first event, with the allowed codes for each (reading B-109). */
const earlyFailures: readonly { label: string; reply: Reply; codes: readonly ErrorCode[] }[] = [
  { label: 'upstream 418', reply: { status: 418 }, codes: ['upstream_error'] },
  { label: 'upstream 400', reply: { status: 400 }, codes: ['upstream_error', 'invalid_param'] },
  {
    label: 'upstream 500',
    reply: { status: 500 },
    codes: ['upstream_error', 'channel_outage', 'channel_queue_full'],
  },
  {
    label: 'upstream breaks off after its head',
    reply: { cut: { after: 'head', by: 'fin' } },
    codes: ['upstream_error', 'upstream_timeout', 'channel_outage', 'channel_queue_full'],
  },
];

export const refusedStreamsArePlain = defineCheck({
  id: 'sse.refusal.plain-error',
  title: 'a refused stream request is answered with a plain HTTP error, not with a stream',
  requirements: ['SSE-015'],
  kind: 'example',
  needs: [],
  run: async ({ target, newScene, http, judge, rng, cases }) => {
    const model = target.anyModel();
    const legal = { ...newScene().minimal(model), stream: true };
    const twin = await http.chat(legal, { label: 'positive twin' });
    judge.streamed(twin, { ...streamAccepted, model });
    const badKey = `sk-app-${rng.hex(32)}`;
    const refusals: { label: string; body: object; key?: string; code: ErrorCode }[] = [
      { label: 'unknown key', body: legal, key: badKey, code: 'invalid_api_key' },
      { label: 'temperature 3', body: { ...legal, temperature: 3 }, code: 'invalid_param' },
      { label: 'no messages', body: { model, stream: true }, code: 'invalid_param' },
      { label: 'unknown model', body: { ...legal, model: 'no-such-model-1' }, code: 'model_not_found' },
    ];
    for (const { label, body, key, code } of refusals) {
      cases.count();
      const exchange = await http.chat({ ...body }, { label, ...(key === undefined ? {} : { key }) });
      judge.refused(exchange, { ...rule, codes: [code], twin });
    }
  },
});

export const earlyFailuresArePlain = defineCheck({
  id: 'sse.upstream-failure.plain-error',
  title: 'an upstream failure before the first event is answered with a plain HTTP error',
  requirements: ['SSE-015'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { http, newScene, judge, target } = parts;
    const cases = dialectModels(target).flatMap((model) =>
      earlyFailures.map((failure) => ({ model, ...failure })),
    );
    for (const { model, label, reply, codes } of cases) {
      parts.cases.count();
      // The channel serves a call between two failures, so that its breaker stays closed.
      const legal = { ...newScene().minimal(model), stream: true };
      const twin = await http.chat(legal, { label: 'positive twin' });
      judge.streamed(twin, { ...streamAccepted, model });
      await keepClosed(parts, model);
      const scene = newScene();
      await scene.script(reply);
      const body = { ...scene.minimal(model), stream: true };
      const exchange = await http.chat(body, { label: `${model}: ${label}` });
      judge.refused(exchange, { ...rule, codes, twin });
    }
  },
});

export const chatIsUntold = defineCheck({
  id: 'sse.events.none',
  title: 'a chat call, streamed or plain, sends no webhook, not even when given a webhook_url',
  requirements: ['SSE-022'],
  kind: 'example',
  needs: ['tasks', 'webhooks.receiver'],
  run: async (parts) => {
    const { tasks, webhooks, target, newScene, cases, http, judge } = parts;
    const earlier = await submitObserved(parts, anyTaskModel(target));
    await tasks.follow(earlier.taskId);
    await firstEvent(webhooks, earlier, { requirement: 'HOOK-001', aspect: 'sent-on-success' });
    const inbox = await webhooks.inbox();
    const model = target.anyModel();
    for (const stream of [false, true]) {
      const body = { ...newScene().minimal(model), stream };
      const twin = await chatWith(parts, body, `stream ${stream}`);
      cases.count();
      const webhook = { webhook_url: inbox.url() };
      const label = `stream ${stream}, with webhook_url`;
      const exchange = await http.chat({ ...body, ...webhook }, { label });
      if (target.profile.chat.unknown_fields === 'reject') judgeRefused(judge, exchange, twin);
    }
    await quiet(parts);
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
  { cases, http, judge }: CheckParts,
  body: Readonly<Record<string, unknown>> & { readonly model: string; readonly stream: boolean },
  label: string,
): Promise<Exchange> {
  cases.count();
  const exchange = await http.chat({ ...body }, { label });
  const expected = { requirement: 'SSE-022', aspect: 'chat-answers', model: body.model };
  if (body.stream) judge.streamed(exchange, expected);
  else judge.completed(exchange, expected);
  return exchange;
}

function judgeRefused(judge: Judge, exchange: Exchange, twin: Exchange): void {
  const rule = { requirement: 'SSE-022', aspect: 'field-refused', twin };
  judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: 'webhook_url', paramRule: 'SSE-022' });
}
