import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { asStream } from '../../generators/native/answer.ts';
import { native } from '../../generators/native-answer.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { textSoFar } from '../../oracle/text-so-far.ts';
import type { Dialect } from '../../profile/dialects.ts';
import { must } from '../../rules/violation.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  channelsOf,
  routedCall,
  routesOf,
} from '../../steps/failures/routed-call.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { judgeChannel } from './channel-named.ts';

/** The pieces of the failing channel, and how many arrive before it fails. */
const pieces = ['One, ', 'two, ', 'three, ', 'four, ', 'five.'];
const before = 2;
const begun = pieces.slice(0, before).join('');

/** The text of any other channel. */
const restart = 'Once again from the start.';

/** The time limit for a delta from the upstream to the client, ms. */
const timeoutMs = 3_000;

/** No other channel is asked after the first byte. */
export const nothingIsRunAgain = defineCheck({
  id: 'route.stream.no-restart',
  title: 'a stream that fails after its first byte is not restarted: no text is repeated or lost',
  requirements: ['ROUTE-015', 'SSE-020'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  run: async (parts) => {
    const { tenants, target, judge } = parts;
    for (const budget of breakerBudgetsOf(tenants, [
      ...routesOf(target, 'pair'),
      ...routesOf(target, 'fallback'),
    ])) {
      await judgeWholeTwin(judge, budget);
      for (const by of ['fin', 'rst', 'event'] as const) await judgeBroken(parts, budget, by);
    }
  },
});

/** The positive twin: a whole stream has every piece once. */
async function judgeWholeTwin(judge: Judge, budget: BreakerBudget): Promise<void> {
  const { exchange } = await routedCall(
    budget,
    { '*': [{ deltas: pieces }] },
    { label: `${budget.model}, a whole stream`, stream: true },
  );
  const rule = { requirement: 'SSE-020', aspect: 'each-once', model: budget.model };
  const { content } = judge.streamed(exchange, rule);
  const expected = JSON.stringify(pieces.join(''));
  must(content === pieces.join(''), { ...rule, expected, actual: JSON.stringify(content), exchange });
}

async function judgeBroken(
  { cases, judge }: CheckParts,
  budget: BreakerBudget,
  by: 'fin' | 'rst' | 'event',
): Promise<void> {
  cases.count();
  const { tenant, model } = budget;
  const scene = tenant.newScene();
  await scene.script(failing(budget, by), { text: restart });
  const label = `${model}, whose upstream fails by ${by} in the middle`;
  const live = tenant.http.openChat({ ...scene.minimal(model), stream: true }, { label });
  if (by !== 'event') {
    // The upstream waits until the client has the first pieces: a reset may overtake data.
    await scene.held(1);
    await live.until((body) => textSoFar(body).includes(pieces[before - 1]?.trim() ?? ''), timeoutMs);
    await scene.release();
  }
  const exchange = await live.done;
  const asked = await channelsOf(scene);
  const own = { requirement: 'SSE-020', exchange };
  must(!exchange.response?.body.includes(restart.slice(0, 10)), {
    ...own,
    aspect: 'no-restart',
    expected: `nothing after ${JSON.stringify(begun)} but the failure`,
    actual: 'the text of another attempt follows',
  });
  must(asked.length === 1 || !isSuccess(exchange), {
    ...own,
    aspect: 'no-second-call',
    expected: 'one upstream request: nothing is restarted after the first byte',
    actual: asked.join(', then '),
  });
  // A failure right after the first pieces may be seen before the answer begins.
  if (!isSuccess(exchange)) return;
  const { content, error } = judge.broken(exchange);
  // The last piece leaves together with the end, which may overtake it.
  const whole = content === begun || content === begun + (pieces[before] ?? '');
  must(whole || (by === 'event' && begun.startsWith(content)), {
    ...own,
    aspect: 'each-once',
    expected: `${JSON.stringify(begun)}, which had arrived, each piece once`,
    actual: JSON.stringify(content),
  });
  if (error !== null) judgeChannel(budget, asked, error.channel, exchange);
}

function failing(budget: BreakerBudget, by: 'fin' | 'rst' | 'event'): Reply {
  if (by !== 'event') return { deltas: pieces, gates: [before], cut: { after: before + 1, by } };
  const dialect: Dialect = budget.channels[0]?.dialect ?? dialectOf(budget.model);
  const { stream, errorEvent } = native(dialect);
  const { opening, fragments } = stream(pieces);
  return asStream(opening, fragments.slice(0, before), errorEvent('it broke'));
}
