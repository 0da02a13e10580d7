import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { dollarText, type Pico } from '../../oracle/money.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { ended, passTimeout } from '../../steps/failures/pass-timeouts.ts';
import { routesOf, serverFault } from '../../steps/failures/routed-call.ts';
import { mustCostTheSame } from '../../steps/money/compare-charges.ts';
import { charged, type Priced, pricedCall } from '../../steps/money/priced-call.ts';
import { coreProtocol } from '../../steps/protocols/protocol.ts';
import { chatWay, type WayIn } from '../../steps/ways/way-in.ts';
import { keepWayClosed, mediaWaysOf } from '../../steps/ways/ways-of.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import { mustBeFree } from './made.ts';

const requirement = 'BILL-009';

/** The counts of the answering attempt, and of the failed attempt before it. */
const counts = { prompt_tokens: 70_003, completion_tokens: 9_007 };
const wasted = { prompt_tokens: 120_011, completion_tokens: 1 };

/** How a first attempt fails, some after the upstream has counted tokens. */
const failures: readonly { readonly label: string; readonly reply: Reply }[] = [
  { label: 'fails', reply: { ...serverFault, body: { error: { message: 'Broken.' }, usage: wasted } } },
  {
    label: 'gives an unusable answer',
    reply: { status: 200, body: `{"usage":${JSON.stringify(wasted)}` },
  },
  { label: 'breaks its connection', reply: { usage: wasted, cut: { after: 'head', by: 'rst' } } },
];

const good: Reply = { text: 'Counted elsewhere.', usage: counts };

interface Failing {
  readonly label: string;
  readonly stream: boolean;
  /** Channels that fail every time; the replies are for the others. Without it, all channels have the replies. */
  readonly own?: readonly string[];
}

export const retriesAreChargedOnce = defineCheck({
  id: 'bill.retry.once',
  title: "a call served by a second attempt costs that attempt's tokens and nothing for the first",
  requirements: [requirement],
  kind: 'metamorphic',
  needs: ['upstream.control', 'charges'],
  run: async (parts) => {
    const models = [
      ...dialectModels(parts.target),
      ...routesOf(parts.target, 'pair').map((route) => route.model),
    ];
    for (const [place, model] of models.entries()) {
      const { label, reply } = failures[place % failures.length] ?? { label: 'fails', reply: serverFault };
      const stream = place % 2 === 1;
      await keepClosed(parts, model, 1);
      const retried = await failing(parts, model, [reply, good], {
        label: `whose upstream ${label}`,
        stream,
      });
      if (retried === null) continue;
      const once = await pricedCall(
        parts,
        { model, counts, stream, label: 'at the first attempt' },
        { requirement },
      );
      mustCostTheSame(retried, once, { requirement, aspect: 'charged-once' });
    }
  },
});

export const fallbacksCostTheirOwnPrice = defineCheck({
  id: 'bill.retry.fallback',
  title: "a call served by a fallback model is charged once, by that model's price and usage",
  requirements: [requirement],
  kind: 'metamorphic',
  needs: ['upstream.control', 'upstream.routes.fallback', 'charges'],
  run: async (parts) => {
    for (const { model, fallback, channels } of routesOf(parts.target, 'fallback')) {
      if (fallback === undefined) continue;
      for (const stream of [false, true]) {
        await keepClosed(parts, model);
        const own = channels.map(({ name }) => name);
        const served = await failing(parts, model, [good], { label: `served by ${fallback}`, stream, own });
        if (served === null) continue;
        const direct = await pricedCall(
          parts,
          { model: fallback, counts, stream, label: 'asked for itself' },
          { requirement },
        );
        const asked = await pricedCall(
          parts,
          { model, counts, stream, label: 'when it is well' },
          { requirement },
        );
        const aspect = served.charge === asked.charge ? 'price-of-the-served-model' : 'charged-once';
        mustCostTheSame(served, direct, { requirement, aspect });
        if (asked.charge === direct.charge) parts.judge.note(`${model} and ${fallback} cost the same`);
      }
    }
  },
});

export const timeoutsAreChargedOnce = defineCheck({
  id: 'bill.retry.after-timeout',
  title: 'after a timeout a call costs what the second attempt makes, or nothing if it times out too',
  requirements: [requirement, 'BILL-008'],
  kind: 'upstream',
  needs: ['upstream.control', 'time', 'charges'],
  clock: 'jump',
  run: async (parts) => {
    const model = parts.target.anyModel();
    for (const stream of [false, true]) {
      const { exchange, charge } = await waitedFor(parts, model, [{ hang: 'head' }, good], stream);
      const retried: Priced = {
        exchange,
        charge,
        call: { model, counts, stream, label: 'at the second attempt' },
      };
      const once = await pricedCall(
        parts,
        { model, counts, stream, label: 'at the first attempt' },
        { requirement },
      );
      mustCostTheSame(retried, once, { requirement, aspect: 'charged-once' });
    }
    const lost = await waitedFor(parts, model, [{ hang: 'head' }], false);
    mustBeFree(lost, { requirement: 'BILL-008', aspect: 'failed-is-free' }, 'the call timed out twice');
    for (const way of mediaWaysOf(parts)) if (way.lasts) await part(() => judgeImages(parts, way));
  },
});

/** Images cost the same from a second attempt as from a first one, and nothing when both time out. */
async function judgeImages(parts: CheckParts, way: WayIn): Promise<void> {
  const once = await waitedOn(parts, way, [{}]);
  way.judgeServed(parts, once.exchange, { requirement, aspect: 'accepted' });
  await keepWayClosed(parts, way, 3);
  const retried = await waitedOn(parts, way, [{ hang: 'head' }, {}]);
  must(retried.charge === once.charge, {
    requirement,
    aspect: 'charged-once',
    expected: `${dollarText(once.charge)}, as at the first attempt`,
    actual: dollarText(retried.charge),
    exchange: retried.exchange,
    twin: once.exchange,
  });
  const lost = await waitedOn(parts, way, [{ hang: 'head' }]);
  mustBeFree(lost, { requirement: 'BILL-008', aspect: 'failed-is-free' }, 'the call timed out twice');
}

/** A call that is served although its first attempt failed; null when the deployment does not retry. */
async function failing(
  { cases, newScene, meter, http, judge }: CheckParts,
  model: string,
  replies: Reply[],
  { label, stream, own = [] }: Failing,
): Promise<Priced | null> {
  cases.count();
  const scene = newScene();
  await scene.script(...replies);
  for (const name of own) await scene.scriptOn(name, serverFault);
  const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
  const { exchange, charge } = await charged(meter, () => http.chat(body, { label: `${model}, ${label}` }));
  const attempts = (await scene.requestsNow()).length;
  if (isSuccess(exchange) && attempts > 1)
    return { exchange, charge, call: { model, counts, stream, label } };
  judge.note(`${model}, ${label}: HTTP ${exchange.response?.status} after ${attempts} attempts`);
  return null;
}

/** Makes a call whose upstream hangs, and lets the deployment's timeouts pass. */
async function waitedFor(
  parts: CheckParts,
  model: string,
  replies: Reply[],
  stream: boolean,
): Promise<{ exchange: Exchange; charge: Pico }> {
  return waitedOn(parts, chatWay(coreProtocol, model, stream), replies);
}

async function waitedOn(
  parts: CheckParts,
  way: WayIn,
  replies: Reply[],
): Promise<{ exchange: Exchange; charge: Pico }> {
  const { cases, newScene, meter, clock } = parts;
  cases.count();
  const scene = newScene();
  await scene.script(...replies);
  const hangs = replies[0]?.hang !== undefined;
  return charged(meter, async () => {
    const label = `${way.model}, ${hangs ? 'whose upstream hangs' : 'at the first attempt'}`;
    const live = way.open(parts, way.body(scene), { label });
    if (hangs) await passTimeout(parts, scene, 1);
    if (hangs && replies.length === 1) await passTimeout(parts, scene, 2);
    await ended(clock, live);
    return live.done;
  });
}
