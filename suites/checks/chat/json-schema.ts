import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { objectOf } from '../../oracle/native/json.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { judgeNoServerFault } from '../../steps/chat/judge-cell.ts';
import { judgeField } from '../../steps/chat/judge-forwarded.ts';
import { nativeModels, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import { parseJson } from '../../values/json.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

const prompt = 'Describe the sea as a JSON object with the members colour and depth.';

const schema = {
  type: 'object',
  properties: { colour: { type: 'string' }, depth: { type: 'string' } },
  required: ['colour', 'depth'],
  additionalProperties: false,
};
const format = { type: 'json_schema', json_schema: { name: 'sea', strict: true, schema } };

export const schemaModeIsClean = defineCheck({
  id: 'chat.json-schema.clean',
  title: 'json_schema yields JSON on models declared to take it, and a clean answer on the others',
  requirements: ['CHAT-035', 'CHAT-033', 'CHAT-053'],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, http, newScene, judge }) => {
    const declared = target.profile.chat.json_schema_models ?? [];
    for (const model of target.eachModel) {
      for (const stream of [false, true]) {
        cases.count();
        const body: JsonObject = { ...bodyOf(newScene, model), ...(stream ? { stream } : {}) };
        const exchange = await http.chat(body, {
          label: `json_schema on ${model}${stream ? ', streamed' : ''}`,
        });
        judgeAnswer(judge, body, exchange, declared.includes(model));
      }
    }
  },
});

export const schemaArrives = defineCheck({
  id: 'chat.json-schema.forwarded',
  title: 'the schema of response_format reaches the upstream of every model declared to take one',
  requirements: ['CHAT-050', 'CHAT-035'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const declared = parts.target.profile.chat.json_schema_models ?? [];
    const models = nativeModels(parts.target).filter((id) => declared.includes(id));
    if (models.length === 0) throw new Untestable('chat.json_schema_models with an enabled model');
    for (const model of models) for (const stream of [false, true]) await judgeArrival(parts, model, stream);
  },
});

function bodyOf(newScene: () => Scene, model: string): JsonObject {
  return { ...newScene().minimal(model, prompt), response_format: format };
}

function judgeAnswer(judge: Judge, body: JsonObject, exchange: Exchange, declared: boolean): void {
  judgeNoServerFault(exchange);
  if (!isSuccess(exchange) && !declared) {
    judge.note(`refuses json_schema on ${body.model}`);
    const codes = ['invalid_param', 'unsupported_capability'] as const;
    judge.refused(exchange, { requirement: 'CHAT-033', aspect: 'clean-either-way', codes });
    return;
  }
  const rule = { requirement: 'CHAT-035', aspect: 'schema-mode' };
  const accepted = { ...rule, model: String(body.model) };
  const { content, finishReason } =
    body.stream === true ? judge.streamed(exchange, accepted) : judge.completed(exchange, accepted);
  const isJson = finishReason !== 'stop' || parseJson(content ?? '') !== undefined;
  const actual = JSON.stringify(content).slice(0, 300);
  must(isJson, { ...rule, expected: 'content that is a JSON document', actual, exchange });
}

async function judgeArrival(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  stream: boolean,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const body: JsonObject = { ...scene.minimal(model, prompt), response_format: format, stream };
  const exchange = await http.chat(body, { label: `json_schema on ${model}${stream ? ', streamed' : ''}` });
  const rule = { requirement: 'CHAT-050', aspect: 'forwards-schema' };
  const accepted = { ...rule, aspect: 'schema-accepted', model };
  if (stream) judge.streamed(exchange, accepted);
  else judge.completed(exchange, accepted);
  const native = await nativeRequest(scene, 'CHAT-050', exchange);
  judgeField('response_format', { body, native, exchange }, rule);
  // That dialect has no JSON schema mode; judgeField has judged the substitute.
  if (native.view.dialect === 'messages') return;
  const { properties, required } = objectOf(native.view.fields.response_format?.schema);
  const members = Object.keys(objectOf(properties)).toSorted().join();
  const isWhole = members === 'colour,depth' && String(required) === String(schema.required);
  const expected = `${model}: the schema of colour and depth at the upstream, both of them required`;
  const actual = `a schema of ${members || 'nothing'}, required ${String(required)}`;
  must(isWhole, { ...rule, expected, actual, exchange, upstream: shown(native) });
}
