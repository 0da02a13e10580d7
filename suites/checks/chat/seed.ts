import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { readCaller } from '../../oracle/native/read.ts';
import { fieldFault } from '../../oracle/native/same-fields.ts';
import { must, part } from '../../rules/violation.ts';
import { familyModels, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';

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
