import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { allOf, asStream } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { isErrorEvent, parseJson } from '../../oracle/chunk.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { readSse } from '../../wire/sse.ts';

/** What an upstream that does not count may be called, where the gateway does not count in its place. */
const failures: readonly ErrorCode[] = [
  'upstream_error',
  'internal_error',
  'channel_outage',
  'channel_queue_full',
];

export const silentUpstreamIsNoExcuse = defineCheck({
  id: 'resp.usage.upstream-silent',
  title: 'when the upstream reports no usage the caller still gets some, or a failure that is plain to see',
  requirements: ['RESP-014', 'SSE-009'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    for (const model of dialectModels(kit)) await judgeUncounted(kit, model);
  },
});

async function judgeUncounted(kit: CheckParts, model: string): Promise<void> {
  const { completion, stream } = native(dialectOf(model));
  const plain = kit.newScene();
  await plain.script(completion({ text: 'Nobody counted this.', usage: null }));
  const answer = await kit.http.chat(plain.minimal(model), { label: `${model}, plain` });
  const own = { requirement: 'RESP-014', aspect: 'uncounted-upstream' };
  kit.cases.count();
  if (answer.response?.status === 200) kit.judge.completed(answer, { ...own, model, uncounted: true });
  else kit.judge.refused(answer, { ...own, codes: failures });

  const streamed = kit.newScene();
  await streamed.script(asStream(allOf(stream(['Nobody ', 'counted this.'], { usage: null }))));
  const exchange = await kit.http.chat(
    { ...streamed.minimal(model), stream: true },
    { label: `${model}, stream` },
  );
  kit.cases.count();
  if (exchange.response?.status !== 200)
    kit.judge.refused(exchange, { ...own, requirement: 'SSE-009', codes: failures });
  else if (reportsFailure(exchange.response.body)) kit.judge.broken(exchange);
  else kit.judge.streamed(exchange, { ...own, requirement: 'SSE-009', model, uncounted: true });
}

function reportsFailure(body: Buffer): boolean {
  return readSse(body).events.some((event) => isErrorEvent(parseJson(event.data)));
}
