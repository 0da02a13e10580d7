import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { allOf, asStream, type NativeAnswer } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { callerOutcomeOf } from '../../oracle/faults/fault-verdict.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { judgeErrorShape } from '../../oracle/refusal.ts';
import { oneTool } from '../../oracle/sample-tools.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels, familyModels } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import type { Exchange } from '../../wire/exchange.ts';

const filteredOutput = { requirement: 'RESP-013', aspect: 'filtered-output' };

export const oddReasonsAreMapped = defineCheck({
  id: 'resp.finish.native-values',
  title: 'any finish reason of an upstream becomes one of the four of the response table',
  requirements: ['RESP-009'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of dialectModels(parts.target))
      await part(async () => {
        for (const ending of native(dialectOf(model)).endings) {
          const { native: word, means, noRoom = false, isFailure = false } = ending;
          if (isFailure) {
            // The rules for all exchanges judge that none of these answers looks complete.
            await keepClosed(parts, model);
            await nativeExchanges(parts, model, { text: 'And so it', finish: word });
            continue;
          }
          const seen = await finishesOf(parts, model, { text: 'And so it ended.', finish: word });
          if (noRoom) adviseLength(parts, seen, { model, word });
          else if (means !== undefined && seen.some((reason) => reason !== means))
            parts.judge.note(`${word} becomes ${[...new Set(seen)].join(' and ')}`);
        }
      });
  },
});

export const filteredAnswerSaysSo = defineCheck({
  id: 'resp.finish.content-filter',
  title: "an answer cut by the upstream's policy is reported as content_filter",
  requirements: ['RESP-013'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { newScene, http, target } = parts;
    for (const model of familyModels(target)) {
      const call = { name: oneTool.function.name, arguments: '{"word":"night"}' };
      for (const [aspect, calls] of [
        [filteredOutput.aspect, []],
        ['filtered-calls', [call]],
      ] as const) {
        const scene = newScene();
        await scene.script({ text: 'It was a dark and', tool_calls: [...calls], finish: 'content_filter' });
        for (const stream of [false, true]) {
          const body = { ...scene.minimal(model), tools: [oneTool], stream };
          const exchange = await http.chat(body, { label: `${model}${stream ? ', stream' : ''}` });
          await part(async () => judgeFiltered(parts, exchange, { model, streamed: stream, aspect }));
        }
      }
    }
    // The dialect's own finish reasons, with a part of the answer and with none.
    for (const model of dialectModels(target))
      await part(async () => {
        for (const finish of native(dialectOf(model)).filtered) {
          for (const text of ['It was a dark and', '']) {
            for (const { exchange, streamed } of await nativeExchanges(parts, model, { text, finish }))
              judgeFiltered(parts, exchange, { model, streamed, aspect: filteredOutput.aspect });
          }
        }
      });
  },
});

/** Advises `length` for an answer that ran out of room, because clients continue on `length`. */
function adviseLength(
  { judge }: CheckParts,
  seen: readonly string[],
  { model, word }: { readonly model: string; readonly word: string },
): void {
  if (seen.every((reason) => reason === 'length')) return;
  judge.advise({
    requirement: 'RESP-009',
    aspect: 'no-room-is-length',
    expected: `finish_reason length for ${word} of the upstream of ${model}`,
    actual: [...new Set(seen)].join(' and '),
  });
}

/** The finish reasons of the answer, plain and streamed. A filtered answer may be refused (reading B-38). */
async function finishesOf(parts: CheckParts, model: string, answer: NativeAnswer): Promise<string[]> {
  const { cases, judge } = parts;
  const expected = { requirement: 'RESP-009', aspect: 'accepts-native-reason', model };
  cases.count();
  return (await nativeExchanges(parts, model, answer)).map(({ exchange, streamed }) => {
    if (exchange.response?.status === 400)
      return judge.refused(exchange, { ...expected, codes: ['content_filter'] }).code;
    return (streamed ? judge.streamed(exchange, expected) : judge.completed(exchange, expected)).finishReason;
  });
}

/** The exchanges of one native answer, plain and streamed. */
async function nativeExchanges(
  { newScene, http }: CheckParts,
  model: string,
  answer: NativeAnswer,
): Promise<{ exchange: Exchange; streamed: boolean }[]> {
  const { completion, stream } = native(dialectOf(model));
  const label = `${model}, whose upstream ends with ${JSON.stringify(answer.finish)}`;
  const plain = newScene();
  await plain.script(completion(answer));
  const streamed = newScene();
  await streamed.script(asStream(allOf(stream(answer.text === '' ? [] : [answer.text], answer))));
  const body = { ...streamed.minimal(model), stream: true };
  return [
    { exchange: await http.chat(plain.minimal(model), { label }), streamed: false },
    { exchange: await http.chat(body, { label: `${label}, streamed` }), streamed: true },
  ];
}

function judgeFiltered(
  { cases, judge }: CheckParts,
  exchange: Exchange,
  { model, streamed, aspect }: { model: string; streamed: boolean; aspect: string },
): void {
  cases.count();
  const own = { ...filteredOutput, aspect };
  if (exchange.response?.status === 400) {
    judgeErrorShape(exchange);
    judge.refused(exchange, { ...own, codes: ['content_filter'] });
    return;
  }
  if (streamed && callerOutcomeOf(exchange, 'stream') === 'broken') {
    // The upstream blocked after the stream began: an error event reports it as well as a finish reason.
    const { error } = judge.broken(exchange);
    const expected = 'an error event content_filter, or a finish_reason content_filter';
    const actual = error === null ? 'a connection that breaks off' : error.code;
    must(error?.code === 'content_filter', { ...own, expected, actual, exchange });
    return;
  }
  const rule = { ...own, model };
  const { finishReason } = streamed ? judge.streamed(exchange, rule) : judge.completed(exchange, rule);
  const expected = 'finish_reason content_filter, or 400 content_filter';
  const actual = `finish_reason ${finishReason}`;
  must(finishReason === 'content_filter', { ...own, expected, actual, exchange });
}
