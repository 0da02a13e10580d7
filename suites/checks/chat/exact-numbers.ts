import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { JsonText } from '../../oracle/json-text.ts';
import { part } from '../../rules/violation.ts';
import { judgeField } from '../../steps/chat/judge-forwarded.ts';
import { familyModels, nativeRequest } from '../../steps/chat/upstream-view.ts';
import { isSuccess } from '../../wire/exchange.ts';

/** A negative integer, and some that no double can hold: a careless JSON round trip changes them. */
const hardIntegers = ['-7', '9007199254740993', '-9007199254740993', '9223372036854775807'] as const;

export const numbersAreExact: Check = defineCheck({
  id: 'chat.numbers.exact',
  title: 'negative and very large integers in seed and tool schemas arrive exactly, or are refused',
  requirements: ['CHAT-050'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of familyModels(parts.target))
      await part(async () => {
        for (const digits of hardIntegers) {
          for (const members of [{ seed: new JsonText(digits) }, { tools: [toolWithBound(digits)] }])
            await judgeDigits(parts, model, digits, members);
        }
      });
  },
});

async function judgeDigits(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  digits: string,
  members: { seed: unknown } | { tools: unknown[] },
): Promise<void> {
  cases.count();
  const name = 'seed' in members ? 'seed' : 'tools';
  const scene = newScene();
  const body = { ...scene.minimal(model), ...members };
  const exchange = await http.chat(body, { label: `${digits} in ${name}` });
  const rule = { requirement: 'CHAT-050', aspect: 'numbers-accepted' };
  if (name === 'seed' && !isSuccess(exchange)) {
    judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: name });
    return;
  }
  judge.completed(exchange, { ...rule, model });
  const native = await nativeRequest(scene, 'CHAT-050', exchange);
  judgeField(name, { body, native, exchange }, { ...rule, aspect: 'numbers-exact' });
}

function toolWithBound(digits: string): object {
  const parameters = {
    type: 'object',
    properties: { n: { type: 'integer', maximum: new JsonText(digits) } },
  };
  return { type: 'function', function: { name: 'count_up', description: 'Counts up to n.', parameters } };
}
