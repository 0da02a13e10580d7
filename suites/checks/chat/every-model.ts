import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { JsonText } from '../../oracle/json-text.ts';
import { forwardedFields } from '../../oracle/native/same-fields.ts';
import { callOf, oneTool, threeTools } from '../../oracle/sample-tools.ts';
import { part } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { judgeField, judgeTurns } from '../../steps/chat/judge-forwarded.ts';
import { familyModels, nativeModels, nativeRequest } from '../../steps/chat/upstream-view.ts';
import { isSuccess } from '../../wire/exchange.ts';

/**
 * Every field with a value other than its default. temperature and top_p are in different sets, as they exclude each other.
 */
const optionSets: readonly JsonObject[] = [
  {
    temperature: 1.7,
    max_tokens: 512,
    stop: [' stop here ', 'END', '###', '停止'],
    seed: 20261121,
    tools: threeTools,
    tool_choice: { type: 'function', function: { name: 'spell' } },
    response_format: { type: 'json_object' },
  },
  { top_p: 0.35, max_tokens: 1_000, stop: 'END OF TEXT', seed: 0, tools: [oneTool], tool_choice: 'none' },
  { temperature: 0, tools: threeTools, tool_choice: 'required' },
];

/** One turn of every role, with white space at its ends and arguments that a careless JSON round trip changes. */
const history: readonly JsonObject[] = [
  { role: 'system', content: ' Speak like a sailor.\n' },
  { role: 'user', content: ' What is the sea? ' },
  {
    role: 'assistant',
    content: '\nLet me see. ',
    tool_calls: [callOf('call_every_model', 'look_up', '{ "word": "sea",  "n": [1.0, 9007199254740993] }')],
  },
  { role: 'tool', tool_call_id: 'call_every_model', content: ' salt water\n\n' },
  { role: 'assistant', content: ' Salt water.\n' },
];

export const everyModelGetsEverything: Check = defineCheck({
  id: 'chat.values.every-model',
  title: 'every field and turn reaches the upstream unchanged on every model, plain and streamed',
  requirements: ['CHAT-050', 'CHAT-010'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, target, judge }) => {
    for (const model of nativeModels(target))
      await part(async () => {
        for (const options of optionSets) {
          for (const stream of [false, true]) {
            cases.count();
            const scene = newScene();
            const prompt = scene.prompt('Answer as a JSON object.');
            const messages = [...history, { role: 'user', content: prompt }];
            const body: JsonObject = { model, messages, ...options, ...(stream ? { stream } : {}) };
            const exchange = await http.chat(body, { label: `${model}${stream ? ', streamed' : ''}` });
            judgeAccepted(judge, body, exchange, { requirement: 'CHAT-050', aspect: 'values-accepted' });
            const native = await nativeRequest(scene, 'CHAT-050', exchange);
            for (const name of forwardedFields)
              if (body[name] !== undefined) judgeField(name, { body, native, exchange });
            judgeTurns(body, native, exchange);
          }
        }
      });
  },
});

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
