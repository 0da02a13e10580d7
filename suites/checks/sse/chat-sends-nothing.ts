import { defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
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
