import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { coolDownsOf, judgeQuick, longestOutageMs, outageCodes } from '../../steps/failures/outage-state.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import type { Rule } from '../../steps/ways/way-in.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** The `Retry-After` of a busy upstream, s. */
const askedS = 2;

const busy: Reply = {
  status: 429,
  headers: { 'retry-after': String(askedS) },
  body: { error: { message: 'Too many requests.', type: 'rate_limit_error', code: 'rate_limit_exceeded' } },
};

interface CalledPicture {
  readonly exchange: Exchange;
  readonly attempts: number;
}

export const imagesOutage = defineCheck({
  id: 'faces.outage.images',
  title: 'a failing image model is given up: 503 channel_outage, others served, back within 60 s',
  requirements: ['ROUTE-009', 'ROUTE-011', 'ROUTE-012'],
  kind: 'timing',
  needs: ['upstream.control', 'upstream.breaker', 'time', 'images'],
  clock: 'jump',
  run: async (parts) => {
    const { target, clock, judge, cases, rng, images, newScene } = parts;
    const [ill, other] = rng.shuffle(target.mediaModelsOf('images'));
    if (ill === undefined) throw new Untestable('a model of the images endpoint');
    const until = await open(parts, ill);
    if (other !== undefined)
      await served(parts, other, { requirement: 'ROUTE-012', aspect: 'others-served' });
    const { exchange, attempts } = await call(parts, ill, serverFault);
    if (clock.now() >= until) judge.note('a cool-down ended before everything could be judged');
    else {
      cases.count();
      const rule = { requirement: 'ROUTE-009', aspect: 'opens', exchange };
      const expected = `no upstream call for ${ill} while its breakers are open`;
      must(attempts === 0, { ...rule, expected, actual: `${attempts}` });
      const code = { requirement: 'ROUTE-009', aspect: 'images-outage-code' };
      judge.refused(exchange, { ...code, codes: outageCodes(target), param: null });
      judgeQuick(exchange);
    }
    await clock.elapse(longestOutageMs + 1_000);
    // The first successful call may be the channel's probe. Every later call is served.
    await images.generate(newScene().minimalMedia(ill), { label: `${ill}, the probe` });
    await served(parts, ill, { requirement: 'ROUTE-011', aspect: 'recovers' });
  },
});

export const imagesBusy = defineCheck({
  id: 'faces.full.images',
  title: 'an image model whose channels are all busy gets 429 channel_queue_full until their wait is over',
  requirements: ['ROUTE-010'],
  kind: 'timing',
  needs: ['upstream.control', 'time', 'images'],
  clock: 'jump',
  run: async (parts) => {
    const { cases, clock, judge, target, rng } = parts;
    const routed = (target.profile.upstream?.media_routes ?? []).map(({ model }) => model);
    const models = target.mediaModelsOf('images');
    const several = models.filter((model) => routed.includes(model));
    const single = rng.shuffle(models.filter((model) => !routed.includes(model))).slice(0, 1);
    for (const model of [...several, ...single]) {
      cases.count();
      const { exchange } = await call(parts, model, busy);
      judge.refused(exchange, {
        ...{ requirement: 'ROUTE-010', aspect: 'images-full-code' },
        codes: ['channel_queue_full', 'channel_outage'],
        param: null,
      });
    }
    await clock.elapse(askedS * 1_000 + 100);
    for (const model of [...several, ...single])
      await served(parts, model, { requirement: 'ROUTE-010', aspect: 'free-again' });
  },
});

/** Fails every call of a model until its breaker opens. Returns until when it stays open, in ms of the deployment's clock. */
async function open(parts: CheckParts, model: string): Promise<number> {
  const { target, clock, cases } = parts;
  const route = target.profile.upstream?.media_routes.find((one) => one.model === model);
  const row = target.profile.upstream?.breaker?.consecutive_failures ?? 0;
  const max = (row + 3) * (route?.channels.length ?? 1);
  let before = clock.now();
  let last: CalledPicture | null = null;
  for (let count = 0; count < max; count += 1) {
    cases.signal.throwIfAborted();
    const began = clock.now();
    last = await call(parts, model, serverFault);
    if (last.attempts === 0) return before + coolDownsOf(target)[0];
    // With several channels, the first breaker may have opened some calls before the last.
    if (count === 0 || route === undefined) before = began;
  }
  must(false, {
    requirement: 'ROUTE-009',
    aspect: 'opens',
    expected: `no more upstream calls after ${max} calls of ${model} that all failed upstream`,
    actual: 'the upstream is still called',
    exchange: last?.exchange,
  });
}

async function call({ newScene, images }: CheckParts, model: string, reply: Reply): Promise<CalledPicture> {
  const scene = newScene();
  await scene.script(reply);
  const label = `${model}, upstream ${reply.status}`;
  const exchange = await images.generate(scene.minimalMedia(model), { label });
  return { exchange, attempts: (await scene.requestsNow()).length };
}

async function served({ newScene, images }: CheckParts, model: string, rule: Rule): Promise<void> {
  const exchange = await images.generate(newScene().minimalMedia(model), { label: `${model}, served` });
  images.pictured(exchange, { ...rule, form: null });
}
