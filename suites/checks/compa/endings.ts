import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type NativeMessage, plainMessage, streamedMessage } from '../../generators/compat/native-blocks.ts';
import { judgeBrokenMessage } from '../../oracle/compat/messages-stream.ts';
import { must, part } from '../../rules/violation.ts';
import { type Exchange, isSuccess, mediaType } from '../../wire/exchange.ts';
import { answered, betaModels, refused, streamsHere, underErrorRule } from './message-calls.ts';

interface Ending {
  /** The upstream's word. */
  readonly reason: string;
  /** Words that mean the same to a native client. */
  readonly reported: readonly string[];
  /** Whether an error may be reported instead of an answer. */
  readonly isPolicy: boolean;
}

/** Answers that end early, so none of them counts as a success. */
const endings: readonly Ending[] = [
  { reason: 'refusal', reported: ['refusal'], isPolicy: true },
  {
    reason: 'model_context_window_exceeded',
    reported: ['model_context_window_exceeded', 'max_tokens'],
    isPolicy: false,
  },
];

export const cutShortIsReported = defineCheck({
  id: 'compa.answer.cut-short',
  title: "an answer cut by the upstream's policy or window does not look like a normal end",
  requirements: ['COMPA-011', 'COMPA-010'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async (parts) => {
    const ways = (await streamsHere(parts)) ? [false, true] : [false];
    for (const model of betaModels(parts.target)) {
      for (const ending of endings) {
        for (const stream of ways) await part(() => judgeEnding(parts, model, ending, stream));
      }
    }
  },
});

async function judgeEnding(parts: CheckParts, model: string, ending: Ending, stream: boolean): Promise<void> {
  const { newScene, rng, http, cases } = parts;
  const scene = newScene();
  const message: NativeMessage = {
    blocks: [{ type: 'text', text: 'The sea is' }],
    stopReason: ending.reason,
    stopSequence: null,
    usage: { input_tokens: 12, output_tokens: 3 },
  };
  const identity = { id: `msg_up${rng.hex(16)}`, model: `native-${rng.hex(10)}` };
  await scene.script((stream ? streamedMessage : plainMessage)(message, identity));
  const body = { ...scene.minimalA(model), max_tokens: 4_000, ...(stream ? { stream } : {}) };
  const label = `${ending.reason} on ${model}${stream ? ', streamed' : ''}`;
  const exchange = await http.compatA(body, { label });
  if (ending.isPolicy && isRefused(parts, exchange)) return;
  const { stopReason } = answered(cases, exchange, body, {
    requirement: 'COMPA-011',
    aspect: 'cut-short-told',
  });
  must(ending.reported.includes(stopReason), {
    requirement: 'COMPA-011',
    aspect: 'cut-short-told',
    expected: `stop_reason ${ending.reported.join(' or ')}`,
    actual: `stop_reason ${stopReason}`,
    exchange,
  });
}

/** Whether the answer or the stream reports content_filter; any other error is a violation. */
function isRefused({ cases, channels, judge }: CheckParts, exchange: Exchange): boolean {
  const rule = { requirement: 'COMPA-011', aspect: 'cut-short-told' };
  if (!isSuccess(exchange)) {
    cases.count();
    refused(judge, exchange, { ...rule, codes: ['content_filter'] });
    return true;
  }
  if (mediaType(exchange) !== 'text/event-stream' || !exchange.response.body.includes('event: error'))
    return false;
  cases.count();
  const { error } = underErrorRule(() => judgeBrokenMessage(exchange, Object.values(channels)));
  const expected = 'content_filter for an answer that a policy cut short';
  const actual = String(error?.code);
  must(error === null || error.code === 'content_filter', { ...rule, expected, actual, exchange });
  return true;
}
