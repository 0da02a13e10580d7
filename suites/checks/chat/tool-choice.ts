import type { Reply } from '../../../simulators/control/client.ts';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { ToolCall } from '../../oracle/completion.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import { familyModels, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import type { Exchange } from '../../wire/exchange.ts';

const prompt = 'Use the tools to look the word "sea" up, spell it and translate it.';

const choiceIsObeyed = defineCheck({
  id: 'chat.tool-choice.obeyed',
  title: 'tool_choice none forbids calls, required forces one, and a named function is called',
  requirements: ['CHAT-029', 'CHAT-030', 'CHAT-031'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, target, newScene } = parts;
    for (const model of cases.full ? target.models : familyModels(target)) {
      const body = (tool_choice: unknown): JsonObject => ({
        ...newScene().minimal(model, prompt),
        tools: threeTools,
        tool_choice,
      });
      for (const { calls, finishReason, exchange } of await bothTurns(parts, body('none'), 'CHAT-029')) {
        must(calls.length === 0 && finishReason !== 'tool_calls', {
          requirement: 'CHAT-029',
          aspect: 'none-forbids',
          expected: 'no tool call',
          actual: `${calls.length} calls, finish_reason ${finishReason}`,
          exchange,
        });
      }
      for (const { calls, finishReason, exchange } of await bothTurns(parts, body('required'), 'CHAT-030')) {
        must(calls.length > 0, {
          requirement: 'CHAT-030',
          aspect: 'required-forces',
          expected: 'at least one tool call',
          actual: 'none',
          exchange,
        });
        must(finishReason === 'tool_calls', {
          requirement: 'CHAT-030',
          aspect: 'required-finish',
          expected: 'finish_reason tool_calls',
          actual: finishReason,
          exchange,
        });
      }
      for (const { function: named } of threeTools) {
        const choice = { type: 'function', function: { name: named.name } };
        for (const { calls, exchange } of await bothTurns(parts, body(choice), 'CHAT-031')) {
          must(calls[0]?.function.name === named.name, {
            requirement: 'CHAT-031',
            aspect: 'named-is-called',
            expected: `a call of ${named.name}`,
            actual: calls[0]?.function.name ?? 'no call',
            exchange,
          });
        }
      }
    }
  },
});

const autoByDefault = defineCheck({
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

export const toolChoiceChecks: readonly Check[] = [choiceIsObeyed, autoByDefault];

interface Turn {
  readonly calls: readonly ToolCall[];
  readonly finishReason: string;
  readonly exchange: Exchange;
}

/** The request plain and streamed, each judged whole. */
async function bothTurns(
  { cases, http, judge }: CheckParts,
  body: JsonObject,
  requirement: string,
): Promise<Turn[]> {
  cases.count();
  const expected = { requirement, aspect: 'choice-accepted', model: String(body.model) };
  const plain = await http.chat(body, { label: `tool_choice ${JSON.stringify(body.tool_choice)}` });
  const whole = judge.completed(plain, expected);
  const stream = await http.chat(
    { ...body, stream: true },
    { label: `streamed, tool_choice ${JSON.stringify(body.tool_choice)}` },
  );
  const streamed = judge.streamed(stream, expected);
  return [
    { calls: whole.toolCalls, finishReason: whole.finishReason, exchange: plain },
    { calls: streamed.toolCalls, finishReason: streamed.finishReason, exchange: stream },
  ];
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
  must(choice === 'auto', {
    ...own,
    aspect: 'auto-by-default',
    expected: 'tool_choice auto, or none at all',
    actual: JSON.stringify(choice),
  });
  must(answer.toolCalls.length === (reply.tool_calls?.length ?? 0), {
    ...own,
    aspect: 'upstream-decides',
    expected: reply.text ?? 'the upstream’s tool call',
    actual: `${answer.toolCalls.length} calls, content ${JSON.stringify(answer.content)}`,
  });
}
