import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { textSoFar } from '../../oracle/text-so-far.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { isSuccess } from '../../wire/exchange.ts';

/** The share of a declared timeout that a slow upstream uses without exceeding it. */
const share = 0.8;

/** The extra share of the timeout that the upstream may use when other checks wait in parallel. */
const late = 0.05;

const pieces = ['Slowly ', 'but ', 'steadily ', 'it ', 'comes.'];

/** How long a piece may take from the upstream to the client, ms of real time. */
const arrivalMs = 3_000;

export const lateIsNotTooLate = defineCheck({
  id: 'route.timeout.in-time',
  title: 'a late answer and a slow stream within the declared timeouts are waited for',
  requirements: ['ROUTE-004', 'ERR-031'],
  kind: 'timing',
  needs: ['upstream.control', 'hooks.clock'],
  clock: 'jump',
  run: async (parts) => {
    for (const model of dialectModels(parts.target))
      await part(async () => {
        for (const stream of [false, true]) await judgeLateHead(parts, model, stream);
        await judgeSlowStream(parts, model);
      });
  },
});

async function judgeLateHead(
  { target, cases, newScene, http, clock, judge }: CheckParts,
  model: string,
  stream: boolean,
): Promise<void> {
  const limitMs = target.profile.upstream?.first_byte_timeout_ms;
  if (limitMs === undefined) return;
  cases.count();
  const scene = newScene();
  await scene.script({ gates: ['head'], text: 'Better late.' });
  const label = `${model}, whose upstream takes ${share} of its timeout to begin${stream ? ', stream' : ''}`;
  const live = http.openChat({ ...scene.minimal(model), ...(stream ? { stream } : {}) }, { label });
  if (await scene.held(1)) await clock.elapse(limitMs * share, limitMs * late);
  const began = (await scene.requestsNow()).length;
  await scene.release();
  const exchange = await live.done;
  const expected = `one upstream request after ${limitMs * share} of ${limitMs} ms`;
  const actual = String(began);
  must(began === 1, { requirement: 'ROUTE-004', aspect: 'waits-its-time', expected, actual, exchange });
  const rule = { requirement: 'ROUTE-004', aspect: 'waits-its-time', model };
  if (stream) judge.streamed(exchange, rule);
  else judge.completed(exchange, rule);
}

/** Judges a slow stream: each wait between its pieces is below the idle timeout, but their sum exceeds it. */
async function judgeSlowStream(
  { target, cases, newScene, http, clock, judge }: CheckParts,
  model: string,
): Promise<void> {
  const { idle_timeout_ms: idleMs, total_timeout_ms: totalMs = 600_000 } = target.profile.upstream ?? {};
  if (idleMs === undefined) return;
  cases.count();
  const waitMs = Math.min(idleMs, totalMs / pieces.length) * share;
  const scene = newScene();
  const gates = pieces.map((_, place) => place).slice(1);
  await scene.script({ deltas: pieces, gates });
  const label = `${model}, whose upstream takes ${waitMs} ms for each of ${pieces.length} pieces`;
  const live = http.openChat({ ...scene.minimal(model), stream: true }, { label });
  for (const place of gates) {
    const before = pieces.slice(0, place).join('').trimEnd();
    if (!(await live.until((body) => textSoFar(body).includes(before), arrivalMs))) break;
    if (await scene.held(1)) await clock.elapse(waitMs, idleMs * late);
    await scene.release();
  }
  await scene.release();
  const exchange = await live.done;
  const rule = { requirement: 'ERR-031', aspect: 'steady-is-alive', model };
  const { response } = exchange;
  must(isSuccess(exchange) && exchange.response.complete && !exchange.response.body.includes('"error"'), {
    ...rule,
    expected: `a whole stream: no wait was longer than ${waitMs} of ${idleMs} ms`,
    actual: `HTTP ${response?.status}, ${JSON.stringify(textSoFar(response?.body.toString('utf8') ?? ''))}`,
    exchange,
  });
  const { content } = judge.streamed(exchange, rule);
  const expected = JSON.stringify(pieces.join(''));
  must(content === pieces.join(''), { ...rule, expected, actual: JSON.stringify(content), exchange });
}
