import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { judgeNone } from '../../oracle/webhooks/one-event.ts';
import { readPayload } from '../../oracle/webhooks/payload.ts';
import { anyTaskModel } from '../../steps/media/task-models.ts';
import { firstEvent, quiet, submitTold } from '../../steps/webhooks/told-task.ts';
import type { Exchange } from '../../wire/exchange.ts';

export const chatIsUntold = defineCheck({
  id: 'sse.events.none',
  title: 'a chat call, streamed or not, tells nobody, and has no field to say whom',
  requirements: ['SSE-022'],
  kind: 'example',
  needs: ['webhooks.receiver'],
  run: async (kit) => {
    const earlier = await submitTold(kit, anyTaskModel(kit));
    await kit.tasks.follow(earlier.taskId);
    await firstEvent(kit, earlier, { requirement: 'HOOK-001', aspect: 'sent-on-success' });
    const inbox = await kit.webhooks.inbox();
    const model = kit.target.anyModel();
    for (const stream of [false, true]) {
      const body = { ...kit.newScene().minimal(model), stream };
      const twin = await chatWith(kit, body, `stream ${stream}`);
      kit.cases.count();
      const webhook = { webhook_url: inbox.url() };
      const label = `stream ${stream}, with webhook_url`;
      const exchange = await kit.http.chat({ ...body, ...webhook }, { label });
      if (kit.target.profile.chat.unknown_fields === 'reject') judgeRefused(kit, exchange, twin);
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
  kit: CheckParts,
  body: Readonly<Record<string, unknown>> & { readonly model: string; readonly stream: boolean },
  label: string,
): Promise<Exchange> {
  kit.cases.count();
  const exchange = await kit.http.chat({ ...body }, { label });
  const expected = { requirement: 'SSE-022', aspect: 'chat-answers', model: body.model };
  if (body.stream) kit.judge.streamed(exchange, expected);
  else kit.judge.completed(exchange, expected);
  return exchange;
}

function judgeRefused(kit: CheckParts, exchange: Exchange, twin: Exchange): void {
  kit.judge.refused(exchange, {
    requirement: 'SSE-022',
    aspect: 'field-refused',
    codes: ['invalid_param'],
    param: 'webhook_url',
    paramRule: 'SSE-022',
    twin,
  });
}
