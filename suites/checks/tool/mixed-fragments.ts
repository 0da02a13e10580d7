import { isDeepStrictEqual } from 'node:util';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { allOf, asStream, type NativeCall } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { judgeSameText } from '../../oracle/same-text.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';

const made: readonly NativeCall[] = threeTools.map((tool, index) => ({
  id: `toolu_mixed_${index}`,
  name: tool.function.name,
  arguments: JSON.stringify({ word: `\\ "Meer" ${index} 🌊\n`, nested: { deep: [index, [], {}] } }),
}));

const text = 'I use three tools.';

export const mixedFragmentsReassemble: Check = defineCheck({
  id: 'tool.delivery.mixed-fragments',
  title: 'tool calls with interleaved fragments arrive whole and unmixed',
  requirements: ['TOOL-018'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of dialectModels(parts.target))
      for (const fragments of [[], [text]])
        for (const toolCalls of [made.slice(0, 1), made.slice(0, 2), made])
          await judgeMixed(parts, model, fragments, toolCalls);
  },
});

async function judgeMixed(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  fragments: readonly string[],
  toolCalls: readonly NativeCall[],
): Promise<void> {
  cases.count();
  const scene = newScene();
  await scene.script(asStream(allOf(native(dialectOf(model)).stream(fragments, { toolCalls }))));
  const body = { ...scene.minimal(model), tools: threeTools, stream: true };
  const label = `${toolCalls.length} calls after ${fragments.length} texts on ${model}`;
  const exchange = await http.chat(body, { label });
  const answer = judge.streamed(exchange, { requirement: 'TOOL-018', aspect: 'tools-accepted', model });
  const rule = { requirement: 'TOOL-018', exchange };
  judgeSameText(answer.content, fragments.join(''), { ...rule, aspect: 'text-beside-calls' });
  const seen = answer.toolCalls.map(({ function: called }) => [called.name, JSON.parse(called.arguments)]);
  const wanted = toolCalls.map((call) => [call.name, JSON.parse(call.arguments)]);
  const found = { expected: JSON.stringify(wanted), actual: JSON.stringify(seen) };
  must(isDeepStrictEqual(seen, wanted), { ...rule, aspect: 'all-calls-in-order', ...found });
}
