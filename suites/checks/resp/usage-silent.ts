import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { allOf, asStream } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { isErrorEvent } from '../../oracle/chunk.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { parseJson } from '../../values/json.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { readSse } from '../../wire/sse.ts';

/** How a gateway that does not count by itself may report an upstream that does not count. */
const failures: readonly ErrorCode[] = [
  'upstream_error',
  'internal_error',
  'channel_outage',
  'channel_queue_full',
];

export const silentUpstreamIsNoExcuse = defineCheck({
  id: 'resp.usage.upstream-silent',
  title: 'when the upstream reports no usage, the answer still has some or is a visible failure',
  requirements: ['RESP-014', 'SSE-009'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of dialectModels(parts.target)) await part(() => judgeUncounted(parts, model));
  },
});

async function judgeUncounted({ newScene, http, cases, judge }: CheckParts, model: string): Promise<void> {
  const { completion, stream } = native(dialectOf(model));
  const plain = newScene();
  await plain.script(completion({ text: 'Nobody counted this.', usage: null }));
  const answer = await http.chat(plain.minimal(model), { label: `${model}, plain` });
  const own = { requirement: 'RESP-014', aspect: 'uncounted-upstream' };
  cases.count();
  if (isSuccess(answer)) judge.completed(answer, { ...own, model, uncounted: true });
  else judge.refused(answer, { ...own, codes: failures });

  const streamed = newScene();
  await streamed.script(asStream(allOf(stream(['Nobody ', 'counted this.'], { usage: null }))));
  const body = { ...streamed.minimal(model), stream: true };
  const exchange = await http.chat(body, { label: `${model}, stream` });
  cases.count();
  if (!isSuccess(exchange)) judge.refused(exchange, { ...own, requirement: 'SSE-009', codes: failures });
  else if (reportsFailure(exchange.response.body)) judge.broken(exchange);
  else judge.streamed(exchange, { ...own, requirement: 'SSE-009', model, uncounted: true });
}

function reportsFailure(body: Buffer): boolean {
  return readSse(body).events.some((event) => isErrorEvent(parseJson(event.data)));
}
