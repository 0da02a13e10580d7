import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { judgeNone } from '../../oracle/webhooks/one-event.ts';
import { readPayload } from '../../oracle/webhooks/payload.ts';
import { anyTaskModel } from '../../steps/media/task-models.ts';
import { firstEvent, quiet, submitObserved } from '../../steps/webhooks/observed-task.ts';
import type { Exchange } from '../../wire/exchange.ts';

export const chatIsUntold = defineCheck({
  id: 'sse.events.none',
  title: 'a chat call, streamed or plain, sends no webhook, not even when given a webhook_url',
  requirements: ['SSE-022'],
  kind: 'example',
  needs: ['webhooks.receiver'],
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
