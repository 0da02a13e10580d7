import { defineCheck } from '../../engine/check.ts';
import { streamAccepted } from '../../oracle/accepted.ts';
import { must } from '../../rules/violation.ts';
import { isJsonObject, parseJson } from '../../values/json.ts';

const prompt =
  'Describe the sea as a JSON object with the members "colour" and "depth". Answer in JSON only.';

export const streamedJsonParses = defineCheck({
  id: 'sse.json-object.parses',
  title: 'with response_format json_object the joined text of a stream is a JSON object',
  requirements: ['SSE-021'],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, newScene, http, judge }) => {
    for (const model of target.eachModel) {
      cases.count();
      const response_format = { type: 'json_object' };
      const body = { ...newScene().minimal(model, prompt), stream: true, response_format };
      const exchange = await http.chat(body, { label: model });
      const { content } = judge.streamed(exchange, { ...streamAccepted, model });
      const value = parseJson(content);
      const isObject = isJsonObject(value);
      const rule = { requirement: 'SSE-021', aspect: 'content-parses', exchange };
      const expected = 'a JSON object, once the fragments are joined';
      must(isObject, { ...rule, expected, actual: content.slice(0, 160) });
    }
  },
});
