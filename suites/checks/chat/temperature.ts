import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { flag, part } from '../../rules/violation.ts';
import { judgeField } from '../../steps/chat/judge-forwarded.ts';
import { familyModels, nativeRequest } from '../../steps/chat/upstream-view.ts';
import type { Exchange } from '../../wire/exchange.ts';

const times = 3;

export const zeroRepeats: Check = defineCheck({
  id: 'chat.temperature.repeats',
  title: 'at temperature 0 equal requests to a deterministic upstream get the same text',
  requirements: ['CHAT-014', 'CHAT-013'],
  kind: 'metamorphic',
  // Only a simulated upstream promises to repeat itself.
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of familyModels(parts.target)) await part(() => judgeModel(parts, model));
  },
});

async function judgeModel(parts: CheckParts, model: string): Promise<void> {
  const { cases, newScene } = parts;
  cases.count();
  const scene = newScene();
  const body = { ...scene.minimal(model, 'Tell me something about the sea.'), temperature: 0 };
  const said = [...(await heard(parts, body)), ...(await heard(parts, { ...body, stream: true }))];
  const [first, ...others] = said;
  for (const { content, exchange } of others) {
    const rule = { requirement: 'CHAT-014', aspect: 'equal-at-zero', exchange, twin: first?.exchange };
    const expected = `${model}: ${JSON.stringify(first?.content)} again`;
    flag(content === first?.content, { ...rule, expected, actual: JSON.stringify(content) });
  }
  const exchange = first?.exchange;
  if (exchange === undefined) return;
  const native = await nativeRequest(scene, 'CHAT-013', exchange);
  judgeField('temperature', { body, native, exchange }, { requirement: 'CHAT-013', aspect: 'explicit-zero' });
}

/** The answers to one request that is sent several times. */
async function heard(
  { http, judge }: CheckParts,
  body: JsonObject,
): Promise<{ content: string; exchange: Exchange }[]> {
  const expected = { requirement: 'CHAT-014', aspect: 'zero-accepted', model: String(body.model) };
  const streamed = body.stream === true;
  return Promise.all(
    Array.from({ length: times }, async () => {
      const exchange = await http.chat(body, { label: streamed ? 'streamed' : 'plain' });
      const { content } = streamed ? judge.streamed(exchange, expected) : judge.completed(exchange, expected);
      return { content: content ?? '', exchange };
    }),
  );
}
