import { setTimeout as wait } from 'node:timers/promises';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { NativeCounts } from '../../generators/native/answer.ts';
import { dollarText, type Pico } from '../../oracle/money.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { textSoFar } from '../../oracle/text-so-far.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { pricedCall } from '../../steps/money/priced-call.ts';
import { coreProtocol } from '../../steps/protocols/protocol.ts';
import { chatWay, type WayIn } from '../../steps/ways/way-in.ts';
import { chatWaysOf } from '../../steps/ways/ways-of.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { reportedSoFar } from './reported-so-far.ts';

/** The specification gives no price for such a stream (reading B-36), but equal counts must give an equal price. */
const rule = { requirement: 'BILL-001', aspect: 'abandoned-as-declared' };
const plainRule = { ...rule, aspect: 'left-call-as-declared' };

/** The time limit for the start of a stream, and for its charge after the client disconnected, ms. */
const timeoutMs = 5_000;
/** The interval between two looks at a balance, ms. */
const pollMs = 100;

interface Abandoned {
  readonly exchange: Exchange;
  readonly charge: Pico;
  /** The upstream's counts when the client disconnected. */
  readonly reported: NativeCounts | null;
}

export const abandonedStreamsCostWhatIsDeclared = defineCheck({
  id: 'bill.stream.abandoned',
  title: 'a stream or a plain call that its client aborts costs what the deployment declares (reading B-36)',
  requirements: ['BILL-011', rule.requirement],
  kind: 'upstream',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    const core = dialectModels(parts.target).map((model) => chatWay(coreProtocol, model, true));
    const ways = await chatWaysOf(parts);
    const compat = ways.filter(({ name, stream }) => name !== 'core' && stream);
    for (const way of [...core, ...compat]) await part(() => judgeAbandoned(parts, way));
    for (const way of ways.filter(({ stream }) => !stream)) await part(() => judgeLeftBefore(parts, way));
  },
});

async function judgeAbandoned(parts: CheckParts, way: WayIn): Promise<void> {
  const { judge, target } = parts;
  const counts = countsFor(way.model);
  const { exchange, charge, reported } = await abandoned(parts, way, counts);
  const due = await dueFor(parts, way.model, counts, reported);
  if (due === null) return judge.note(`${exchange.label}: costs ${dollarText(charge)}`);
  must(charge === due, {
    ...rule,
    expected: `${dollarText(due)}: abandoned streams cost "${target.profile.billing.abandoned_stream}"`,
    actual: dollarText(charge),
    exchange,
  });
}

/**
 * A plain call whose client leaves before its answer, which the upstream then gives to the end. A deployment that charges the
 * whole of a stream that was left, and reads this answer on, knows its counts as well. No answer names the call, so the
 * balance shows its charge.
 */
async function judgeLeftBefore(parts: CheckParts, way: WayIn): Promise<void> {
  const { cases, newScene, meter, target } = parts;
  if (target.profile.hooks.balance === undefined || target.profile.billing.abandoned_stream !== 'whole')
    return;
  const counts = countsFor(way.model);
  const due = (await pricedCall(parts, { model: way.model, counts, label: 'the whole answer' }, plainRule))
    .charge;
  const { balance: before } = await meter.settledAccount();
  cases.count();
  const scene = newScene();
  await scene.script({ text: 'one two three', gates: ['head'], usage: { ...counts } });
  const label = `${way.model}, ${way.name}, a client that disconnects before its answer`;
  const live = way.open(parts, way.body(scene), { label });
  const isAsked = await scene.held(1);
  live.abort();
  const exchange = await live.done;
  must(isAsked, { ...plainRule, exchange, expected: 'an upstream request', actual: 'none' });
  if (await scene.closedWithClient()) return;
  await scene.release();
  const until = performance.now() + timeoutMs;
  let paid = before - (await meter.balance());
  while (paid !== due && performance.now() < until) {
    await wait(pollMs, undefined, { signal: cases.signal });
    paid = before - (await meter.balance());
  }
  const expected = `${dollarText(due)}: its upstream answered to the end, and reported its counts`;
  must(paid === due, { ...plainRule, expected, actual: dollarText(paid), exchange });
}

/** Counts that differ clearly from the text, with cache reads and writes where the dialect reports them. */
function countsFor(model: string): NativeCounts {
  const counts = { prompt_tokens: 70_003, completion_tokens: 9_007, cached_tokens: 30_011 };
  if (dialectOf(model) !== 'messages') return counts;
  return { ...counts, cache_write_tokens: 20_021, cache_write_1h_tokens: 10_007 };
}

/** Opens a stream and disconnects the client after the first words. */
async function abandoned(parts: CheckParts, way: WayIn, counts: NativeCounts): Promise<Abandoned> {
  const { cases, newScene, meter } = parts;
  cases.count();
  const scene = newScene();
  await scene.script({ deltas: ['one ', 'two ', 'three'], gates: [1], usage: { ...counts } });
  const sent: Exchange[] = [];
  let reported: NativeCounts | null = null;
  const work = async (): Promise<Exchange[]> => {
    const label = `${way.model}, ${way.name}, a client that disconnects from its stream`;
    const live = way.open(parts, way.body(scene), { label });
    const begun = await live.until(
      (text) => (way.name === 'core' ? textSoFar(text) : text).includes('one '),
      timeoutMs,
    );
    const [request] = await scene.requestsNow();
    reported = request === undefined ? null : reportedSoFar(request);
    live.abort();
    sent.push(await live.done);
    const expected = 'the first words of a stream whose upstream has sent them';
    const actual = `none within ${timeoutMs} ms`;
    must(begun, { requirement: 'SSE-001', aspect: 'accepts-stream', expected, actual, exchange: sent[0] });
    // A deployment may read on to learn the final count.
    if (!(await scene.closedWithClient())) await scene.release();
    return sent;
  };
  const charge = await meter.charged(work, { laterMs: timeoutMs });
  const [exchange] = sent as [Exchange];
  return { exchange, charge, reported };
}

/** The charge by the declared rule; null when none is declared. */
async function dueFor(
  parts: CheckParts,
  model: string,
  whole: NativeCounts,
  reported: NativeCounts | null,
): Promise<Pico | null> {
  const cost = async (counts: NativeCounts, label: string): Promise<Pico> =>
    (await pricedCall(parts, { model, counts, label }, rule)).charge;
  switch (parts.target.profile.billing.abandoned_stream) {
    case 'nothing':
      return 0n;
    case 'whole':
      return cost(whole, 'the whole answer');
    case 'reported':
      return reported === null ? 0n : cost(reported, 'what was counted when the client disconnected');
    case undefined:
      return null;
  }
}
