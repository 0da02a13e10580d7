import { defineCheck } from '../../engine/check.ts';
import { oneTool } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';

export const everyModelStreams = defineCheck({
  id: 'sse.models.all',
  title: 'every enabled chat model of the catalogue can stream, text and tool calls alike',
  requirements: ['SSE-017'],
  kind: 'example',
  needs: [],
  run: async ({ target, newScene, cases, http, judge }) => {
    for (const model of target.eachModel) {
      const expected = { requirement: 'SSE-017', aspect: 'streams-on-every-model', model };
      const minimal = { ...newScene().minimal(model, 'Look the word "sea" up.'), stream: true };
      cases.count();
      const text = await http.chat(minimal, { label: `text on ${model}` });
      const { content } = judge.streamed(text, expected);
      must(content !== '', { ...expected, expected: 'text', actual: 'none', exchange: text });
      cases.count();
      const body = { ...minimal, tools: [oneTool], tool_choice: 'required' };
      const exchange = await http.chat(body, { label: `a call on ${model}` });
      const { toolCalls } = judge.streamed(exchange, expected);
      must(toolCalls.length > 0, { ...expected, expected: 'a tool call', actual: 'none', exchange });
    }
  },
});
