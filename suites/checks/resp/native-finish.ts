import { defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import { must } from '../../engine/violation.ts';
import {
  chatCompletionsModel,
  type NativeAnswer,
  nativeCompletion,
  nativeEvents,
  nativeStream,
} from '../../generators/native-answer.ts';
import { judgeErrorShape } from '../../oracle/refusal.ts';

/** Reasons that upstreams have been seen to give and that the response table does not know, with what they can mean. */
const oddEndings: readonly { native: string; means?: string }[] = [
  { native: 'end_turn', means: 'stop' },
  { native: 'eos' },
  { native: 'max_tokens', means: 'length' },
  { native: 'STOP', means: 'stop' },
  { native: 'SAFETY', means: 'content_filter' },
  { native: 'a_reason_of_its_own' },
  { native: 'tool_calls', means: 'stop' },
  { native: 'function_call', means: 'stop' },
];

export const oddReasonsAreMapped = defineCheck({
  id: 'resp.finish.native-values',
  title:
    'whatever reason an upstream gives for its end, the caller sees one of the four of the response table',
  requirements: ['RESP-009'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const model = chatCompletionsModel(kit);
    for (const { native, means } of oddEndings) {
      const seen = await finishesOf(kit, model, { text: 'And so it ended.', finish: native });
      if (means !== undefined && seen.some((reason) => reason !== means))
        kit.note(`${native} becomes ${[...new Set(seen)].join(' and ')}`);
    }
  },
});

/** Plain and streamed; the judges of both know the four legal values. */
async function finishesOf(kit: Kit, model: string, answer: NativeAnswer): Promise<string[]> {
  const expected = { requirement: 'RESP-009', aspect: 'accepts-native-reason', model };
  const label = `upstream says ${JSON.stringify(answer.finish)}`;
  const plain = kit.scene();
  await plain.script(nativeCompletion(answer));
  const whole = kit.completed(await kit.chat(plain.minimal(model), { label }), expected);
  const streamed = kit.scene();
  await streamed.script(nativeStream(nativeEvents([answer.text], answer).join('')));
  const stream = await kit.chat(
    { ...streamed.minimal(model), stream: true },
    { label: `${label}, streamed` },
  );
  kit.countCase();
  return [whole.finishReason, kit.streamed(stream, expected).finishReason];
}

export const filteredAnswerSaysSo = defineCheck({
  id: 'resp.finish.content-filter',
  title:
    "an answer that the upstream's policy cut short says content_filter, as its finish_reason or as a refusal",
  requirements: ['RESP-013'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const model = kit.anyModel();
    const scene = kit.scene();
    await scene.script({ text: 'It was a dark and', finish: 'content_filter' });
    const own = { requirement: 'RESP-013', aspect: 'filtered-output' };
    for (const stream of [false, true]) {
      kit.countCase();
      const label = stream ? 'stream' : 'plain';
      const exchange = await kit.chat({ ...scene.minimal(model), stream }, { label });
      if (exchange.response?.status === 400) {
        judgeErrorShape(exchange);
        kit.refused(exchange, { ...own, codes: ['content_filter'] });
        continue;
      }
      const { finishReason } = stream
        ? kit.streamed(exchange, { ...own, model })
        : kit.completed(exchange, { ...own, model });
      must(finishReason === 'content_filter', {
        ...own,
        expected: 'finish_reason content_filter, or 400 content_filter',
        actual: `finish_reason ${finishReason}`,
        exchange,
      });
    }
  },
});
