import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Check, defineCheck } from '../../engine/check.ts';
import { toolArguments } from '../../generators/tool-arguments.ts';
import { exactJson } from '../../oracle/exact-json.ts';
import { oneTool, threeTools } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import { bothAnswers } from '../../steps/chat/both-answers.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';

/** Beyond every buffer that a gateway is likely to have for what it thinks of as a few values. */
const longArguments = JSON.stringify({ text: 'Die See 🌊 ist grün und groß.\n'.repeat(2_000) });

const allCallsArrive = defineCheck({
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
      for (const { calls, finishReason, exchange, streamed } of await bothAnswers(
        parts,
        body,
        'TOOL-006',
        'tools-accepted',
      )) {
        const seen = calls.map((call) => ({ name: call.function.name, arguments: call.function.arguments }));
        const requirement = streamed ? 'TOOL-018' : 'TOOL-006';
        must(isDeepStrictEqual(seen.map(argumentsRead), made.map(argumentsRead)), {
          requirement,
          aspect: 'all-calls-in-order',
          expected: JSON.stringify(made),
          actual: JSON.stringify(seen),
          exchange,
        });
        must(finishReason === 'tool_calls', {
          requirement: 'TOOL-017',
          aspect: 'finish-is-tool-calls',
          expected: 'finish_reason tool_calls',
          actual: finishReason,
          exchange,
        });
      }
    }
  },
});

const textBesideCalls = defineCheck({
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
    )) {
      cases.count();
      const scene = newScene();
      await scene.script({ ...(text === undefined ? {} : { text }), tool_calls: [call] });
      const body = { ...scene.minimal(model), tools: [oneTool] };
      for (const { content, calls, exchange } of await bothAnswers(
        parts,
        body,
        'TOOL-007',
        'tools-accepted',
      )) {
        const own = { requirement: 'TOOL-007', exchange };
        must(calls.length === 1, {
          ...own,
          aspect: 'call-arrives',
          expected: 'the tool call',
          actual: `${calls.length} calls`,
        });
        must((content ?? '') === (text ?? ''), {
          ...own,
          aspect: 'text-arrives',
          expected: `content ${JSON.stringify(text ?? null)}`,
          actual: JSON.stringify(content),
        });
      }
    }
  },
});

const argumentsAreExact = defineCheck({
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
        for (const { calls, exchange, streamed } of await bothAnswers(
          parts,
          body,
          'TOOL-011',
          'tools-accepted',
        )) {
          const seen = calls[0]?.function.arguments;
          const requirement = streamed ? 'TOOL-018' : 'TOOL-011';
          const rule = { requirement, aspect: 'arguments-exact', exchange };
          const expected = text;
          must(seen !== undefined && sameJson(seen, text), { ...rule, expected, actual: seen ?? 'no call' });
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

export const toolDeliveryChecks: readonly Check[] = [allCallsArrive, textBesideCalls, argumentsAreExact];

function argumentsRead(call: { name: string; arguments: string }): unknown {
  return { name: call.name, arguments: readOr(call.arguments) };
}

function sameJson(seen: string, made: string): boolean {
  return isDeepStrictEqual(readOr(seen), exactJson(made));
}

/** Text that is no JSON stands for itself: it equals nothing that was scripted. */
function readOr(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return { unreadable: text };
  }
}
