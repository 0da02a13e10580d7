import { defineCheck } from '../../engine/check.ts';
import { streamAccepted } from '../../oracle/accepted.ts';
import { must } from '../../rules/violation.ts';

export const streamHasItsShape = defineCheck({
  id: 'sse.shape.every-model',
  title: 'every model streams well-formed chunks in order, with text, usage and a final [DONE]',
  requirements: [
    'SSE-002',
    'SSE-001',
    'SSE-003',
    'SSE-004',
    'SSE-005',
    'SSE-006',
    'SSE-008',
    'SSE-009',
    'SSE-010',
    'SSE-012',
    'SSE-013',
    'SSE-014',
    'RESP-020',
  ],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, newScene, http, judge }) => {
    for (const model of target.eachModel) {
      cases.count();
      const body = { ...newScene().minimal(model, 'Say one sentence about the sea.'), stream: true };
      const exchange = await http.chat(body, { label: model });
      const stream = judge.streamed(exchange, { ...streamAccepted, model });
      const isText = stream.toolCalls.length === 0 && stream.content.trim() !== '';
      const rule = { requirement: 'SSE-006', aspect: 'text-in-fragments', exchange };
      const actual = `${stream.fragments.length} fragments with ${JSON.stringify(stream.content.slice(0, 80))}`;
      must(isText, { ...rule, expected: 'the text of the answer in delta.content', actual });
    }
  },
});
