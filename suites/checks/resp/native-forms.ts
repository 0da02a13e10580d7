import { isDeepStrictEqual } from 'node:util';
import type { Reply } from 'gatecheck-simulators/client';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type AnswerForm, answerForms } from '../../generators/answer-forms.ts';
import { exactJson } from '../../oracle/exact-json.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { judgeSameText } from '../../oracle/same-text.ts';
import { threeTools, toolWithoutArguments } from '../../oracle/sample-tools.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { isSuccess } from '../../wire/exchange.ts';

export const everyNativeFormIsRead: Check = defineCheck({
  id: 'resp.content.native-forms',
  title: 'answers in unusual native forms, such as several text parts, arrive in full',
  requirements: ['RESP-024', 'SSE-003', 'SSE-007', 'TOOL-006', 'TOOL-018', 'RESP-011', 'RESP-022', 'SSE-011'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of dialectModels(parts.target))
      await part(async () => {
        for (const form of answerForms(dialectOf(model))) {
          if (form.plain !== null) await judgeForm(parts, model, form, form.plain, false);
          if (form.stream !== null) await judgeForm(parts, model, form, form.stream, true);
        }
      });
  },
});

async function judgeForm(
  parts: CheckParts,
  model: string,
  form: AnswerForm,
  reply: Reply,
  streamed: boolean,
): Promise<void> {
  const { cases, newScene, http, judge } = parts;
  cases.count();
  const scene = newScene();
  if (form.isOdd) await keepClosed(parts, model);
  await scene.script(reply);
  const tools = [...threeTools, toolWithoutArguments];
  const body = { ...scene.minimal(model), tools, ...(streamed ? { stream: true } : {}) };
  const exchange = await http.chat(body, { label: `${model}: ${form.label}${streamed ? ', streamed' : ''}` });
  const accepted = { requirement: streamed ? 'SSE-007' : 'RESP-024', aspect: 'accepts-native-form', model };
  if (form.isOdd && !isSuccess(exchange)) {
    judge.refused(exchange, { ...accepted, codes: codesFor(200) });
    judge.note(`refuses an answer of ${dialectOf(model)} with ${form.label}`);
    return;
  }
  const answer = streamed ? judge.streamed(exchange, accepted) : judge.completed(exchange, accepted);
  const content = { ...accepted, aspect: aspectOf(form, streamed), exchange };
  judgeSameText(answer.content ?? '', form.content, content);
  const calls = answer.toolCalls.map(({ function: { name, arguments: text } }) => {
    return { name, arguments: readOr(text) };
  });
  const made = form.calls.map((call) => ({ ...call, arguments: readOr(JSON.stringify(call.arguments)) }));
  const order = { requirement: streamed ? 'TOOL-018' : 'TOOL-006', aspect: 'all-calls-in-order', exchange };
  const texts = { expected: JSON.stringify(form.calls), actual: JSON.stringify(calls) };
  must(isDeepStrictEqual(calls, made), { ...order, ...texts });
  const cut = { requirement: 'RESP-011', aspect: 'cut-by-max-tokens', exchange };
  const isEnd = form.finish === undefined || answer.finishReason === form.finish;
  must(isEnd, { ...cut, expected: `finish_reason ${form.finish}`, actual: answer.finishReason });
  const usage = { requirement: streamed ? 'SSE-011' : 'RESP-022', aspect: 'verbatim', exchange };
  const [expected, actual] = [`${form.completionTokens} completion_tokens`, JSON.stringify(answer.usage)];
  must(answer.usage.completion_tokens === form.completionTokens, { ...usage, expected, actual });
}

function aspectOf({ isOdd }: AnswerForm, streamed: boolean): string {
  if (streamed) return 'fragments-join';
  return isOdd ? 'parts-joined' : 'text-unchanged';
}

/** Parses tool arguments. An empty text may stand for no arguments. */
function readOr(text: string): unknown {
  try {
    return exactJson(text === '' ? '{}' : text);
  } catch {
    return { unreadable: text };
  }
}
