import { isDeepStrictEqual } from 'node:util';
import { type Check, defineCheck } from '../../engine/check.ts';
import { must } from '../../engine/violation.ts';
import { exactJson } from '../../oracle/exact-json.ts';
import { JsonText } from '../../oracle/json-text.ts';
import { nativeModels, nativeRequest, shown } from './upstream-view.ts';

/** A plain negative one, and integers that a double cannot hold: a gateway that parses and prints JSON carelessly changes them. */
const hardIntegers = ['-7', '9007199254740993', '-9007199254740993', '9223372036854775807'] as const;

export const numbersAreExact: Check = defineCheck({
  id: 'chat.numbers.exact',
  title:
    'negative integers and those beyond 2^53 in seed and in the schema of a tool reach the upstream digit for digit, or are refused',
  requirements: ['CHAT-050'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    for (const digits of hardIntegers) {
      for (const members of [{ seed: new JsonText(digits) }, { tools: [toolWithBound(digits)] }]) {
        kit.countCase();
        const [name] = Object.keys(members) as [string];
        const scene = kit.scene();
        const model = kit.rng.pick(nativeModels(kit));
        const body = { ...scene.minimal(model), ...members };
        const exchange = await kit.chat(body, { label: `${digits} in ${name}` });
        const rule = { requirement: 'CHAT-050', aspect: 'numbers-accepted' };
        if (name === 'seed' && exchange.response?.status !== 200) {
          kit.refused(exchange, { ...rule, codes: ['invalid_param'], param: name });
          continue;
        }
        kit.completed(exchange, { ...rule, model });
        const native = await nativeRequest(scene, 'CHAT-050', exchange);
        must(isDeepStrictEqual(member(native.text, name), member(JSON.stringify(body), name)), {
          requirement: 'CHAT-050',
          aspect: 'numbers-exact',
          expected: `${name} with ${digits}`,
          actual: JSON.stringify(native.json[name]) ?? 'none',
          exchange,
          upstream: shown(native),
        });
      }
    }
  },
});

function toolWithBound(digits: string): object {
  const parameters = {
    type: 'object',
    properties: { n: { type: 'integer', maximum: new JsonText(digits) } },
  };
  return { type: 'function', function: { name: 'count_up', description: 'Counts up to n.', parameters } };
}

/** A member of a JSON object, read without loss. */
function member(text: string, name: string): unknown {
  const { members } = exactJson(text) as { members: [string, unknown][] };
  return members.find(([key]) => key === name)?.[1];
}
