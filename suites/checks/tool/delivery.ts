import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { allOf, asStream, type NativeCall } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { toolArguments } from '../../generators/tool-arguments.ts';
import { exactJson } from '../../oracle/exact-json.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { judgeSameText } from '../../oracle/same-text.ts';
import { oneTool, threeTools } from '../../oracle/sample-tools.ts';
import { must, part } from '../../rules/violation.ts';
import { bothAnswers } from '../../steps/chat/both-answers.ts';
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

/** Larger than any buffer that a gateway is likely to keep for arguments. */
const longArguments = JSON.stringify({ text: 'Die See 🌊 ist grün und groß.\n'.repeat(2_000) });

export const allCallsArrive = defineCheck({
  id: 'tool.delivery.all-calls',
  title: 'every tool call that the upstream makes arrives, in order, plain and streamed',
  requirements: ['TOOL-006', 'TOOL-008', 'TOOL-017', 'TOOL-018'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const cases = dialectModels(parts.target).flatMap((model) =>
      [1, 2, 5].map((count) => ({ model, count })),
    );
    for (const { model, count } of cases) {
      parts.cases.count();
      const scene = parts.newScene();
      const made = Array.from({ length: count }, (_, index) => ({
        name: threeTools[index % 3]?.function.name ?? '',
        arguments: JSON.stringify({ word: `sea ${index}`, order: index }),
      }));
      await scene.script({ tool_calls: made, argument_deltas: 4 });
      const body = { ...scene.minimal(model), tools: threeTools };
      const turns = await bothAnswers(parts, body, 'TOOL-006', 'tools-accepted');
      for (const { calls, finishReason, exchange, streamed } of turns) {
        const seen = calls.map((call) => ({ name: call.function.name, arguments: call.function.arguments }));
        const requirement = streamed ? 'TOOL-018' : 'TOOL-006';
        const order = { requirement, aspect: 'all-calls-in-order', exchange };
        const isSame = isDeepStrictEqual(seen.map(argumentsRead), made.map(argumentsRead));
        must(isSame, { ...order, expected: JSON.stringify(made), actual: JSON.stringify(seen) });
        const finish = { requirement: 'TOOL-017', aspect: 'finish-is-tool-calls', exchange };
        const expected = 'finish_reason tool_calls';
        must(finishReason === 'tool_calls', { ...finish, expected, actual: finishReason });
      }
    }
  },
});

export const textBesideCalls = defineCheck({
  id: 'tool.delivery.text-beside-calls',
  title: 'text beside a tool call reaches the caller with the call, and without text there is none',
  requirements: ['TOOL-007'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { cases, newScene, target } = parts;
    const call = { name: oneTool.function.name, arguments: '{"word":"sea"}' };
    const texts = ['I look it up. 🌊', undefined];
    for (const { model, text } of dialectModels(target).flatMap((id) =>
      texts.map((said) => ({ model: id, text: said })),
    ))
      await part(async () => {
        cases.count();
        const scene = newScene();
        await scene.script({ ...(text === undefined ? {} : { text }), tool_calls: [call] });
        const body = { ...scene.minimal(model), tools: [oneTool] };
        const turns = await bothAnswers(parts, body, 'TOOL-007', 'tools-accepted');
        for (const { content, calls, exchange } of turns) {
          const call = { requirement: 'TOOL-007', aspect: 'call-arrives', exchange };
          must(calls.length === 1, { ...call, expected: 'the tool call', actual: `${calls.length} calls` });
          const rule = { requirement: 'TOOL-007', aspect: 'text-arrives', exchange };
          const expected = `content ${JSON.stringify(text ?? null)}`;
          must((content ?? '') === (text ?? ''), { ...rule, expected, actual: JSON.stringify(content) });
        }
      });
  },
});

export const argumentsAreExact = defineCheck({
  id: 'tool.delivery.arguments-exact',
  title: 'the argument values of a tool call pass unchanged, however they are cut into fragments',
  requirements: ['TOOL-011', 'TOOL-018'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { cases, newScene, target } = parts;
    const models = dialectModels(target);
    await cases.forAll(
      fc.record({
        text: toolArguments,
        fragments: fc.integer({ min: 1, max: 12 }),
        model: fc.constantFrom(...models),
      }),
      async ({ text, fragments, model }) => {
        const scene = newScene();
        await scene.script({
          tool_calls: [{ name: oneTool.function.name, arguments: text }],
          argument_deltas: fragments,
        });
        const body = { ...scene.minimal(model), tools: [oneTool] };
        const turns = await bothAnswers(parts, body, 'TOOL-011', 'tools-accepted');
        for (const { calls, exchange, streamed } of turns) {
          const seen = calls[0]?.function.arguments;
          const requirement = streamed ? 'TOOL-018' : 'TOOL-011';
          const rule = { requirement, aspect: 'arguments-exact', exchange };
          const isSame = seen !== undefined && sameJson(seen, text);
          must(isSame, { ...rule, expected: text, actual: seen ?? 'no call' });
        }
      },
      {
        quick: 15,
        full: 400,
        examples: [
          '{}',
          longArguments,
          '{"id":9007199254740993,"tiny":1e-7,"all":[[],[{"é":"\\"\\\\🌊"}]],"none":null}',
        ].flatMap((text) => models.map((model) => ({ text, fragments: 3, model }))),
      },
    );
  },
});

function argumentsRead(call: { name: string; arguments: string }): unknown {
  return { name: call.name, arguments: readOr(call.arguments) };
}

function sameJson(seen: string, made: string): boolean {
  return isDeepStrictEqual(readOr(seen), exactJson(made));
}

/** Text that is not JSON becomes a value that equals nothing scripted. */
function readOr(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return { unreadable: text };
  }
}
