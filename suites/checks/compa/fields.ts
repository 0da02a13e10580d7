import { defineCheck } from '../../engine/check.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { nativeRequests, withMarker } from '../../generators/compat/native-request.ts';
import { lookUp } from '../../oracle/compat/sample-blocks.ts';
import { JsonText } from '../../oracle/json-text.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { judgeArrival, rowsOfArrival } from './arrival.ts';
import { answered, arrivedAsSent, betaModel, refused, seeingModel } from './message-calls.ts';

export const requestsArrive = defineCheck({
  id: 'compa.request.arrives',
  title: 'any legal native request reaches the upstream unchanged, numbers included',
  requirements: rowsOfArrival,
  kind: 'property',
  needs: ['compat.a', 'upstream.control'],
  run: async (parts) => {
    const { cases, newScene, target } = parts;
    await cases.forAll(
      nativeRequests,
      async (request) => {
        const scene = newScene();
        const model = request.hasImage ? seeingModel(target) : betaModel(target);
        await judgeArrival(parts, scene, withMarker(request, model, scene.marker), 'COMPA-003');
      },
      { quick: 25, full: 150 },
    );
  },
});

/** Optional native fields. Each one that is accepted arrives unchanged (reading B-92). */
const fields: readonly JsonObject[] = [
  { temperature: 0 },
  { temperature: new JsonText('0.30000000000000004') },
  { top_p: 0.25 },
  { top_k: 40 },
  { stop_sequences: ['###', '\n\nHuman:'] },
  { stop_sequences: [] },
  { metadata: { user_id: 'user-7f3' } },
  { thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 2_000 },
  { thinking: { type: 'disabled' } },
  { service_tier: 'standard_only' },
  { tools: [{ ...lookUp, type: 'custom', description: 'Looks up é 漢.' }] },
  { tools: [{ ...lookUp, type: 'custom', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
  { tools: [lookUp, { ...lookUp, type: 'custom', name: 'spell' }] },
  { tools: [lookUp], tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
  { tools: [lookUp], tool_choice: { type: 'any' } },
  { tools: [lookUp], tool_choice: { type: 'none' } },
  { tools: [lookUp], tool_choice: { type: 'tool', name: 'look_up' } },
  {
    tools: [
      {
        name: 'look_up',
        input_schema: {
          type: 'object',
          properties: {
            n: { type: 'integer', maximum: new JsonText('9007199254740993') },
            $ref: { type: 'string' },
          },
          $defs: { a: { $ref: '#/$defs/b' } },
          additionalProperties: false,
        },
      },
    ],
  },
];

/** Fields that the specification itself requires, such as tools for tool blocks. */
const mustBeTaken = ['tools', 'temperature', 'stop_sequences'];

export const fieldsArrive = defineCheck({
  id: 'compa.fields.forwarded',
  title: 'every native field reaches the upstream unchanged or is refused by name; none is dropped',
  requirements: ['COMPA-001', 'COMPA-002'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async ({ newScene, http, cases, judge, target }) => {
    for (const members of fields) {
      const scene = newScene();
      const body = { ...scene.minimalA(betaModel(target)), ...members };
      const [name = ''] = Object.keys(members);
      const exchange = await http.compatA(body, { label: JSON.stringify(members) });
      if (exchange.response?.status === 400 && !mustBeTaken.includes(name)) {
        cases.count();
        const rule = { requirement: 'COMPA-002', aspect: 'refused' };
        refused(judge, exchange, { ...rule, codes: ['invalid_param'], param: name, paramRule: 'COMPA-002' });
        judge.note(`refuses the native field ${name} (reading B-92)`);
        continue;
      }
      answered(cases, exchange, body, { requirement: 'COMPA-001', aspect: 'field-accepted' });
      await arrivedAsSent(scene, body, exchange, 'COMPA-001');
    }
  },
});

export const unknownFieldIsClean = defineCheck({
  id: 'compa.fields.unknown',
  title: 'an unknown field is passed on, or refused with 400 invalid_param',
  requirements: ['COMPA-002'],
  kind: 'example',
  needs: ['compat.a'],
  run: async ({ rng, newScene, http, judge, cases, target }) => {
    for (const value of ['x', 1, null, { a: [1] }]) {
      const name = `x_unknown_${rng.hex(6)}`;
      const body = { ...newScene().minimalA(betaModel(target)), [name]: value };
      const exchange = await http.compatA(body, { label: `unknown field ${JSON.stringify(value)}` });
      if (isSuccess(exchange)) {
        answered(cases, exchange, body, { requirement: 'COMPA-002', aspect: 'unknown-field' });
        judge.note('takes unknown fields on compat path A (reading B-92)');
      } else {
        cases.count();
        const rule = { requirement: 'COMPA-002', aspect: 'unknown-field' };
        refused(judge, exchange, { ...rule, codes: ['invalid_param'] });
        judge.note('refuses unknown fields on compat path A (reading B-92)');
      }
    }
  },
});
