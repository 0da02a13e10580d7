import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { jsonValue } from '../../generators/json-value.ts';
import { bodyOfLegal, legalChatRequest } from '../../generators/legal-chat-request.ts';
import { chatFields } from '../../oracle/chat-fields.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { hostileBodies, malformedBodies } from '../../oracle/hostile-bodies.ts';
import { judgeErrorShape } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import { judgeAccepted, judgeNoServerFault } from '../../steps/chat/judge-cell.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

/** Codes by which a value in a chat request may be refused. */
const faultCodes: readonly string[] = [
  'invalid_param',
  'model_not_found',
  'context_too_long',
  'unsupported_capability',
] satisfies ErrorCode[];

const nestedPlaces = [
  'messages[0]',
  'messages[0].role',
  'messages[0].content',
  'messages[0].content[0]',
  'tools[0]',
  'tools[0].function',
  'tool_choice.function',
  'metadata.k',
  'stop[0]',
  'image_url',
] as const;

const places: readonly string[] = [...chatFields.map((field) => field.name), ...nestedPlaces];

export const malformed = defineCheck({
  id: 'chat.body.malformed',
  title: 'a body that is not a JSON object is refused with 400 invalid_param in the error shape',
  requirements: ['CHAT-052'],
  kind: 'property',
  needs: [],
  run: async ({ judge, cases, http, target, newScene }) => {
    const rule = { requirement: 'CHAT-052', aspect: 'malformed-refused' };
    const refused = (exchange: Exchange): unknown =>
      judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
    for (const [label, body] of target.few(malformedBodies)) {
      cases.count();
      refused(await http.chat(body, { label }));
    }
    // A JSON object that is cut short is not JSON.
    await cases.forAll(
      fc.tuple(legalChatRequest(target.models), fc.double({ min: 0, max: 1, noNaN: true })),
      async ([request, share]) => {
        const whole = Buffer.from(JSON.stringify(bodyOfLegal(request, newScene().prompt())));
        refused(
          await http.chat(whole.subarray(0, Math.floor(share * (whole.length - 1))), { label: 'cut short' }),
        );
      },
      { quick: 10, full: 800 },
    );
  },
});

export const hostile = defineCheck({
  id: 'chat.body.hostile',
  title: 'extreme but well-formed bodies (deep nesting, huge values) are answered cleanly',
  requirements: ['CHAT-053'],
  kind: 'example',
  needs: [],
  run: async ({ cases, target, http, newScene, judge }) => {
    for (const [label, build] of hostileBodies) {
      cases.count();
      const model = target.anyModel();
      const exchange = await http.chat(build(model, newScene().prompt()), { label });
      judgeClean(judge, { model }, exchange);
      const took = exchange.endedAt - exchange.sentAt;
      if (took > 2_000) judge.note(`takes ${Math.round(took / 1000)} s over ${label}`);
    }
    const model = target.anyModel();
    const after = await http.chat(newScene().minimal(model), { label: 'a plain request after all that' });
    judge.completed(after, { requirement: 'CHAT-053', aspect: 'still-serving', model });
  },
});

export const anyValueAnywhere = defineCheck({
  id: 'chat.body.any-value',
  title: 'any JSON value in any field is answered with a completion or a clean refusal',
  requirements: ['CHAT-053'],
  kind: 'property',
  needs: [],
  run: async ({ cases, target, newScene, http, judge }) => {
    await cases.forAll(
      fc.record({
        place: fc.constantFrom(...places),
        value: jsonValue,
        model: fc.constantFrom(...target.models),
      }),
      async ({ place, value, model }) => {
        const body = { ...newScene().minimal(model), ...placed(place, value, newScene().prompt()) };
        const exchange = await http.chat(body, { label: `any value in ${place}` });
        judgeClean(judge, body, exchange);
      },
      { quick: 60, full: 2_500 },
    );
  },
});

/** The fields of a body that has the value at that place. */
function placed(place: string, value: unknown, prompt: string): Record<string, unknown> {
  switch (place) {
    case 'messages[0]':
      return { messages: [value, { role: 'user', content: prompt }] };
    case 'messages[0].role':
      return { messages: [{ role: value, content: prompt }] };
    case 'messages[0].content':
      return { messages: [{ role: 'user', content: value }] };
    case 'messages[0].content[0]':
      return { messages: [{ role: 'user', content: [value, { type: 'text', text: prompt }] }] };
    case 'image_url':
      return { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: value }] }] };
    case 'tools[0]':
      return { tools: [value] };
    case 'tools[0].function':
      return { tools: [{ type: 'function', function: value }] };
    case 'tool_choice.function':
      return { tool_choice: { type: 'function', function: value } };
    case 'metadata.k':
      return { metadata: { k: value } };
    case 'stop[0]':
      return { stop: [value] };
    default:
      return { [place]: value };
  }
}

/** A whole completion or a clean refusal; 413 has a code of the deployment's own (reading B-03). */
function judgeClean(judge: Judge, body: Record<string, unknown>, exchange: Exchange): void {
  const status = judgeNoServerFault(exchange);
  if (isSuccess(exchange)) {
    judgeAccepted(judge, body, exchange, { requirement: 'CHAT-053', aspect: 'never-5xx' });
    return;
  }
  const { code } = judgeErrorShape(exchange);
  const rule = { requirement: 'CHAT-053', aspect: 'clean-refusal', exchange };
  const expected = `one of ${faultCodes.join(', ')}`;
  must(status === 413 || faultCodes.includes(code), { ...rule, expected, actual: code });
}
