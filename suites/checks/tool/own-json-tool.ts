import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { allOf, asStream, type NativeCall } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must, part } from '../../rules/violation.ts';
import { bothAnswers } from '../../steps/chat/both-answers.ts';
import { dialectModels, nativeRequest } from '../../steps/chat/upstream-view.ts';

const ofCaller = threeTools.map((tool) => tool.function.name);

/** What an upstream calls, in order: a tool of the caller, or the one by which the gateway asks for JSON. */
const orders: readonly (readonly ('given' | 'own')[])[] = [
  ['given', 'own'],
  ['own', 'given'],
  ['given', 'own', 'given'],
  ['own', 'own'],
];

export const callsOfGivenToolsAlone: Check = defineCheck({
  id: 'tool.calls.given-alone',
  title: 'a model that calls tools and writes its JSON at once shows calls of the given tools alone',
  requirements: ['TOOL-009', 'CHAT-034'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of dialectModels(parts.target)) await part(() => judgeModel(parts, model));
  },
});

async function judgeModel(parts: CheckParts, model: string): Promise<void> {
  const { cases, newScene, judge } = parts;
  const own = await ownTool(parts, model);
  if (own === undefined) return judge.note(`${model}: its upstream gets no tools but the given ones`);
  const { completion, stream } = native(dialectOf(model));
  for (const order of orders) {
    cases.count();
    const scene = newScene();
    const toolCalls = order.map((kind, at): NativeCall => {
      const name = kind === 'own' ? own : (ofCaller[at % ofCaller.length] ?? '');
      return { id: `toolu_native${at}`, name, arguments: '{"word":"sea"}' };
    });
    const answer = { text: '', toolCalls };
    await scene.script(completion(answer), asStream(allOf(stream([], answer))));
    const turns = await bothAnswers(parts, bodyOf(scene.minimal(model)), 'CHAT-034', 'json-object-accepted');
    for (const { calls, exchange } of turns) {
      const names = calls.map((call) => call.function.name);
      must(
        names.every((name) => ofCaller.includes(name)),
        {
          ...{ requirement: 'TOOL-009', aspect: 'given-tools-alone', exchange },
          expected: `calls of ${ofCaller.join(', ')}`,
          actual: names.join(', '),
        },
      );
    }
  }
}

/** The tool that a gateway adds to ask for JSON; undefined where it needs none. */
async function ownTool(parts: CheckParts, model: string): Promise<string | undefined> {
  const scene = parts.newScene();
  const exchange = await parts.http.chat(bodyOf(scene.minimal(model)), {
    label: `JSON or calls on ${model}`,
  });
  const { view } = await nativeRequest(scene, 'CHAT-034', exchange);
  return view.tools.map(({ name }) => name).find((name) => !ofCaller.includes(name));
}

function bodyOf(minimal: Record<string, unknown>): Record<string, unknown> {
  return { ...minimal, tools: threeTools, response_format: { type: 'json_object' } };
}
