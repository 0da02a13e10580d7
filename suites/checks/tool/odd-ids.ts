import { isDeepStrictEqual } from 'node:util';
import type { Reply } from 'gatecheck-simulators/client';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { allOf, asStream, type NativeCall } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { calledWith } from '../../oracle/broken-stream.ts';
import type { ToolCall } from '../../oracle/completion.ts';
import { answerText } from '../../oracle/error-leaks.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { flag, part } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { judgeTurns } from '../../steps/chat/judge-forwarded.ts';
import { familyModels, nativeRequest } from '../../steps/chat/upstream-view.ts';
import { isSuccess } from '../../wire/exchange.ts';

const sameId = 'call_same';

const made: readonly NativeCall[] = ['sea', 'sky'].map((word) => ({
  id: sameId,
  name: 'look_up',
  arguments: JSON.stringify({ word }),
}));

/** Faults in the ids of an upstream's calls. Each function changes the text of a reply. */
const forms: Readonly<Record<string, (text: string) => string>> = {
  'the same id twice': (text) => text,
  'empty ids': (text) => text.replaceAll(sameId, ''),
  'no ids': (text) => text.replaceAll(/\\?"id\\?":\\?"call_same\\?",/g, ''),
  'an id in place of each index': (text) =>
    text
      .replaceAll(/\{(\\?")index\1:(\d),\1id\1:\1call_same/g, '{$1id$1:$1call_$2')
      .replaceAll(/\{(\\?")index\1:(\d),\1function/g, '{$1id$1:$1call_$2$1,$1function'),
};

export const oddIdsAreReplaced: Check = defineCheck({
  id: 'tool.calls.odd-ids',
  title: 'calls whose ids the upstream repeats or leaves out get ids of their own, or end in upstream_error',
  requirements: ['TOOL-008', 'TOOL-012'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    // In one dialect calls have no ids, and the ids of the other are part of its contract.
    const models = familyModels(parts.target).filter((id) => dialectOf(id) === 'chat-completions');
    for (const model of models)
      for (const form of Object.keys(forms))
        for (const stream of [false, true]) await part(() => judgeOdd(parts, model, form, stream));
  },
});

async function judgeOdd(parts: CheckParts, model: string, form: string, stream: boolean): Promise<void> {
  const { cases, newScene, http, judge } = parts;
  cases.count();
  const scene = newScene();
  await scene.script(replyOf(model, form, stream));
  const body = { ...scene.minimal(model), tools: threeTools, ...(stream ? { stream } : {}) };
  const exchange = await http.chat(body, { label: `${form} from ${model}` });
  const refusal = { requirement: 'TOOL-008', aspect: 'odd-ids-clean' };
  if (!isSuccess(exchange)) {
    judge.refused(exchange, { ...refusal, codes: ['upstream_error'] });
    judge.note(`${form}: upstream_error`);
    return;
  }
  if (/^data: ?\{"error"/m.test(answerText(exchange))) {
    judge.broken(exchange);
    judge.note(`${form}: a stream with an error`);
    return;
  }
  const rule = { requirement: 'TOOL-008', aspect: 'odd-ids-whole', model };
  const { toolCalls } = stream ? judge.streamed(exchange, rule) : judge.completed(exchange, rule);
  const seen = toolCalls.map((call) => calledWith(call.function.arguments));
  const wanted = made.map((call) => calledWith(call.arguments));
  const texts = { expected: JSON.stringify(wanted), actual: JSON.stringify(seen) };
  flag(isDeepStrictEqual(seen, wanted), {
    requirement: 'TOOL-008',
    aspect: 'odd-ids-whole',
    ...texts,
    exchange,
  });
  // Results of calls that share an id answer none of them: TOOL-008 has reported it.
  const ids = new Set(toolCalls.map(({ id }) => id));
  if (ids.size === toolCalls.length && !ids.has('')) await judgeFollowUp(parts, model, toolCalls, stream);
}

async function judgeFollowUp(
  { newScene, http, judge }: CheckParts,
  model: string,
  calls: readonly ToolCall[],
  stream: boolean,
): Promise<void> {
  const scene = newScene();
  const results = calls.map(({ id, function: { arguments: args } }) => {
    return { role: 'tool', tool_call_id: id, content: `found ${args}` };
  });
  const turn = { role: 'assistant', content: null, tool_calls: calls };
  const messages = [{ role: 'user', content: scene.prompt() }, turn, ...results.toReversed()];
  const body = { model, messages, tools: threeTools, ...(stream ? { stream } : {}) };
  const exchange = await http.chat(body, { label: `the results for ${model}` });
  judgeAccepted(judge, body, exchange, { requirement: 'TOOL-012', aspect: 'follow-up-accepted' });
  judgeTurns(body, await nativeRequest(scene, 'TOOL-012', exchange), exchange);
}

function replyOf(model: string, form: string, stream: boolean): Reply {
  const writer = native(dialectOf(model));
  const reply = stream
    ? asStream(allOf(writer.stream([], { toolCalls: made })))
    : writer.completion({ text: '', toolCalls: made });
  return JSON.parse(forms[form]?.(JSON.stringify(reply)) ?? '') as Reply;
}
