import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { asStream } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

/** How long the start of a call may take from the upstream to the client, ms. */
const timeoutMs = 3_000;

/** The opening of the call and its fragments of arguments: the upstream breaks off before the last of them. */
const fragments = 4;

const name = threeTools[0]?.function.name ?? '';

export const cutCallsAreSeen = defineCheck({
  id: 'sse.failure.cut-call',
  title: 'a stream cut off inside tool call arguments ends as a visible failure, not as tool_calls',
  requirements: ['SSE-016'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of dialectModels(parts.target))
      await part(async () => {
        for (const by of ['fin', 'rst'] as const) await judgeCut(parts, model, by);
        await judgeUnfinished(parts, model);
      });
  },
});

async function judgeCut(parts: CheckParts, model: string, by: 'fin' | 'rst'): Promise<void> {
  const { cases, newScene, http, judge } = parts;
  cases.count();
  await keepClosed(parts, model);
  const scene = newScene();
  const call = { name, arguments: '{"word":"the sea, the sea, the sea"}' };
  // The calls of generate-content are whole: there the end after the second call is cut off.
  const cutCalls = { tool_calls: [call, call], gates: [1], cut: { after: 2, by } };
  const cutArguments = { gates: [fragments - 1], cut: { after: fragments, by } };
  await scene.script(
    dialectOf(model) === 'generate-content'
      ? cutCalls
      : { tool_calls: [call], argument_deltas: fragments, ...cutArguments },
  );
  const body = { ...scene.minimal(model), tools: threeTools, stream: true };
  const live = http.openChat(body, { label: `${model}, whose upstream ends by ${by} within a call` });
  await scene.held(1);
  // A reset may overtake data, so it waits for the client to have the beginning.
  await live.until((text) => text.includes(name), timeoutMs);
  await scene.release();
  judgeEither(judge, await live.done);
}

/** The upstream ends its stream properly as HTTP, but within the call and without an end event. */
async function judgeUnfinished(parts: CheckParts, model: string): Promise<void> {
  const { cases, newScene, http, judge } = parts;
  cases.count();
  await keepClosed(parts, model);
  const scene = newScene();
  const { stream, cutCall } = native(dialectOf(model));
  await scene.script(
    asStream(stream([]).opening, cutCall({ id: 'toolu_native', name, arguments: '{"word":"the sea"}' })),
  );
  const body = { ...scene.minimal(model), tools: threeTools, stream: true };
  const exchange = await http.chat(body, { label: `${model}, whose upstream just stops within a call` });
  judgeEither(judge, exchange);
}

/**
 * Judges an error event or a refusal. A gateway may refuse when it detects the failure before it answers: start and end
 * arrive together, or it buffers whole calls.
 */
function judgeEither(judge: Judge, exchange: Exchange): void {
  if (isSuccess(exchange)) judgeAnswer(judge, exchange);
  else judge.refused(exchange, { requirement: 'SSE-016', aspect: 'plain-error', codes: codesFor(200) });
}

function judgeAnswer(judge: Judge, exchange: Exchange): void {
  const { content } = judge.broken(exchange);
  const rule = { requirement: 'SSE-016', aspect: 'no-rerun', exchange };
  const expected = 'no text, as the upstream sent none';
  must(content === '', { ...rule, expected, actual: JSON.stringify(content) });
}
