import { isDeepStrictEqual } from 'node:util';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import { calledWith } from '../../oracle/broken-stream.ts';
import type { ToolCall } from '../../oracle/completion.ts';
import { judgeSameText } from '../../oracle/same-text.ts';
import { oneTool, threeTools } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';

/** Requests whose answers differ in form: text, text cut short, a JSON document, calls. */
const variations: readonly JsonObject[] = [
  {},
  { max_tokens: 5 },
  { stop: ['e'] },
  { response_format: { type: 'json_object' } },
  { tools: [oneTool], tool_choice: 'required' },
  { tools: threeTools, tool_choice: { type: 'function', function: { name: 'spell' } } },
];

export const streamEqualsPlain = defineCheck({
  id: 'sse.content.equals-plain',
  title: 'a stream adds up to the plain answer: same text, tool calls, finish_reason and usage',
  requirements: ['SSE-007'],
  kind: 'metamorphic',
  // Only a simulated upstream promises equal answers to equal requests.
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of parts.target.eachModel)
      for (const more of variations) await judgeTwins(parts, model, more);
  },
});

async function judgeTwins(
  { newScene, http, judge, cases }: CheckParts,
  model: string,
  more: JsonObject,
): Promise<void> {
  const body = { ...newScene().minimal(model, 'Answer as JSON or in words.'), seed: 7, ...more };
  const label = `${model} ${Object.keys(more).join(', ') || 'minimal'}`;
  const twin = await http.chat(body, { label: `${label}, plain` });
  const plain = judge.completed(twin, { ...plainAccepted, model });
  const exchange = await http.chat({ ...body, stream: true }, { label: `${label}, streamed` });
  const stream = judge.streamed(exchange, { ...streamAccepted, model });
  cases.count();
  const rule = { requirement: 'SSE-007', exchange };
  judgeSameText(stream.content, plain.content ?? '', { ...rule, aspect: 'fragments-join' });
  const calls = { wanted: plain.toolCalls.map(whatIsCalled), seen: stream.toolCalls.map(whatIsCalled) };
  const rest = [
    { aspect: 'same-calls', ...calls },
    { aspect: 'same-finish', wanted: plain.finishReason, seen: stream.finishReason },
    { aspect: 'same-usage', wanted: plain.usage.total_tokens, seen: stream.usage.total_tokens },
  ];
  for (const { aspect, wanted, seen } of rest) {
    const expected = `as in the plain answer: ${JSON.stringify(wanted)}`;
    must(isDeepStrictEqual(seen, wanted), { ...rule, aspect, twin, expected, actual: JSON.stringify(seen) });
  }
}

/** Only the members that the schema gives a call. */
function whatIsCalled({ function: { name, arguments: text } }: ToolCall): object {
  return { name, arguments: calledWith(text) };
}
