import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must, part } from '../../rules/violation.ts';
import { bothAnswers, type ModelTurn } from '../../steps/chat/both-answers.ts';
import { familyModels, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';

const prompt = 'Use the tools to look the word "sea" up, spell it and translate it.';

export const choiceIsObeyed = defineCheck({
  id: 'chat.tool-choice.obeyed',
  title: 'tool_choice none forbids calls, required forces one, and a named function is called',
  requirements: ['CHAT-029', 'CHAT-030', 'CHAT-031'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, target, newScene } = parts;
    for (const model of cases.full ? target.models : familyModels(target))
      await part(async () => {
        const body = (tool_choice: unknown): JsonObject => ({
          ...newScene().minimal(model, prompt),
          tools: threeTools,
          tool_choice,
        });
        for (const turn of await bothTurns(parts, body('none'), 'CHAT-029')) judgeNone(turn);
        for (const turn of await bothTurns(parts, body('required'), 'CHAT-030')) judgeForced(turn);
        for (const { function: named } of threeTools) {
          const choice = { type: 'function', function: { name: named.name } };
          for (const turn of await bothTurns(parts, body(choice), 'CHAT-031')) judgeNamed(turn, named.name);
        }
      });
  },
});

export const autoByDefault = defineCheck({
  id: 'chat.tool-choice.default',
  title: 'with tools and no tool_choice the upstream decides: text and calls both come through',
  requirements: ['CHAT-026'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const [tool] = threeTools;
    const replies = [
      { text: 'No tool is needed.' },
      { tool_calls: [{ name: tool?.function.name ?? '', arguments: '{"word":"sea"}' }] },
    ];
    for (const model of familyModels(parts.target))
      for (const reply of replies) await judgeDefault(parts, model, reply);
  },
});

/** The answers to the request, plain and streamed. */
function bothTurns(parts: CheckParts, body: JsonObject, requirement: string): Promise<ModelTurn[]> {
  parts.cases.count();
  return bothAnswers(parts, body, requirement, 'choice-accepted');
}

function judgeNone({ calls, finishReason, exchange }: ModelTurn): void {
  const rule = { requirement: 'CHAT-029', aspect: 'none-forbids', exchange };
  const actual = `${calls.length} calls, finish_reason ${finishReason}`;
  must(calls.length === 0 && finishReason !== 'tool_calls', { ...rule, expected: 'no tool call', actual });
}

function judgeForced({ calls, finishReason, exchange }: ModelTurn): void {
  const forced = { requirement: 'CHAT-030', aspect: 'required-forces', exchange };
  must(calls.length > 0, { ...forced, expected: 'at least one tool call', actual: 'none' });
  const rule = { requirement: 'CHAT-030', aspect: 'required-finish', exchange };
  const expected = 'finish_reason tool_calls';
  must(finishReason === 'tool_calls', { ...rule, expected, actual: finishReason });
}

function judgeNamed({ calls, exchange }: ModelTurn, name: string): void {
  const called = calls[0]?.function.name;
  const rule = { requirement: 'CHAT-031', aspect: 'named-is-called', exchange };
  must(called === name, { ...rule, expected: `a call of ${name}`, actual: called ?? 'no call' });
}

async function judgeDefault(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  reply: Reply,
): Promise<void> {
  cases.count();
  const scene = newScene();
  await scene.script(reply);
  const body = { ...scene.minimal(model, prompt), tools: threeTools };
  const exchange = await http.chat(body, { label: `no tool_choice on ${model}` });
  const answer = judge.completed(exchange, { requirement: 'CHAT-026', aspect: 'tools-accepted', model });
  const native = await nativeRequest(scene, 'CHAT-026', exchange);
  const own = { requirement: 'CHAT-026', exchange, upstream: shown(native) };
  const choice = native.view.fields.tool_choice ?? 'auto';
  const auto = { ...own, aspect: 'auto-by-default', expected: 'tool_choice auto, or none at all' };
  must(choice === 'auto', { ...auto, actual: JSON.stringify(choice) });
  const expected = reply.text ?? "the upstream's tool call";
  const actual = `${answer.toolCalls.length} calls, content ${JSON.stringify(answer.content)}`;
  const isWhole = answer.toolCalls.length === (reply.tool_calls?.length ?? 0);
  must(isWhole, { ...own, aspect: 'upstream-decides', expected, actual });
}
