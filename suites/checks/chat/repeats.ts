import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { readCaller } from '../../oracle/native/read.ts';
import { fieldFault } from '../../oracle/native/same-fields.ts';
import { flag, must, part } from '../../rules/violation.ts';
import { judgeField } from '../../steps/chat/judge-forwarded.ts';
import { familyModels, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
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

export const seedRepeats: Check = defineCheck({
  id: 'chat.seed.repeats',
  title: 'a seed reaches the upstream unchanged, and equal requests with it get equal answers',
  requirements: ['CHAT-040'],
  kind: 'metamorphic',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of familyModels(parts.target))
      await part(async () => {
        for (const seed of [0, 1, 2147483647, parts.rng.int(2 ** 31)]) await judgeSeed(parts, model, seed);
      });
  },
});

async function judgeSeed(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  seed: number,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const body = { ...scene.minimal(model), seed };
  const expected = { requirement: 'CHAT-040', aspect: 'seed-accepted', model };
  const exchanges = [
    await http.chat(body, { label: 'first' }),
    await http.chat(body, { label: 'second' }),
  ] as const;
  const [first, second] = exchanges.map((exchange) => judge.completed(exchange, expected).content);
  const native = await nativeRequest(scene, 'CHAT-040', exchanges[0]);
  const own = { requirement: 'CHAT-040', exchange: exchanges[1], twin: exchanges[0] };
  const fault = fieldFault('seed', readCaller(body), native.view);
  const found = fault ?? { expected: '', actual: '' };
  must(fault === null, { ...own, ...found, aspect: 'seed-forwarded', upstream: shown(native) });
  const texts = { expected: JSON.stringify(first), actual: JSON.stringify(second) };
  must(first === second, { ...own, ...texts, aspect: 'equal-output' });
}
