import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { must, part } from '../../rules/violation.ts';
import { adviseSecondAttempt } from '../../steps/failures/judge-hidden.ts';
import { ended, passTimeout, silencesOf } from '../../steps/failures/pass-timeouts.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import { fewShapedPictures, shapedPictures } from '../../steps/media/pictures.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import { imagesWay, type WayIn, wayLabel } from '../../steps/ways/way-in.ts';
import { keepWayClosed } from '../../steps/ways/ways-of.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import { lastingEndpoints, lastingWays } from './lasting-ways.ts';

const requirement = 'ROUTE-006';

export const timeoutIsRetriedOnce = defineCheck({
  id: 'faces.retry.two-attempts',
  title:
    'on compat paths and at images a silent upstream is tried twice, then the answer is 504 upstream_timeout',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['upstream.control', 'time'],
  oneOf: lastingEndpoints,
  clock: 'jump',
  run: async (parts) => {
    for (const way of await lastingWays(parts)) await part(() => judgeTwo(parts, way, 'two-attempts'));
    const shaped = parts.cases.full ? shapedPictures(parts) : fewShapedPictures(parts);
    for (const way of shaped) await part(() => judgeTwo(parts, way, 'two-of-any-pictures'));
    // Nothing of an answer with images can have reached the caller before it is whole.
    const within = silencesOf(parts.target).slice(1);
    for (const silence of within)
      for (const way of shaped.slice(0, 1))
        await part(() => judgeTwo(parts, way, 'two-of-stalled-pictures', silence));
  },
});

async function judgeTwo(
  parts: CheckParts,
  way: WayIn,
  aspect: string,
  silence = silencesOf(parts.target)[0],
): Promise<void> {
  const { cases, newScene, judge } = parts;
  cases.count();
  await keepWayClosed(parts, way);
  const scene = newScene();
  await scene.script(silence.reply);
  const { exchange, second } = await waitedFor(parts, way, scene, 2, silence.limitMs);
  const attempts = (await scene.requestsNow()).length;
  const expected = 'two requests at the upstream that never answers';
  must(second && attempts === 2, { requirement, aspect, expected, actual: `${attempts}`, exchange });
  judge.refused(exchange, { requirement, aspect: 'timeout-code', codes: ['upstream_timeout'], param: null });
}

export const secondAttemptAnswers = defineCheck({
  id: 'faces.retry.second-answers',
  title: 'on compat paths and at images a second attempt that answers after a timeout is returned whole',
  requirements: [requirement, 'ROUTE-002'],
  kind: 'upstream',
  needs: ['upstream.control', 'time'],
  oneOf: lastingEndpoints,
  clock: 'jump',
  run: async (parts) => {
    for (const way of await lastingWays(parts)) await part(() => judgeSecond(parts, way, 'retry-answers'));
    // The specification makes no exception for several images, even if they are expensive.
    for (const way of shapedPictures(parts)) {
      await part(() => judgeSecond(parts, way, 'any-pictures-retried'));
      await part(() => adviseAlike(parts, way));
    }
  },
});

async function judgeSecond(parts: CheckParts, way: WayIn, aspect: string): Promise<void> {
  const { cases, newScene, judge } = parts;
  const { protocol, model, stream } = way;
  cases.count();
  await keepWayClosed(parts, way);
  const scene = newScene();
  const usage = { prompt_tokens: 321, completion_tokens: 45 };
  const answer = protocol === null ? {} : { text: 'Second time lucky.', usage };
  await scene.script({ hang: 'head' }, answer);
  const { exchange } = await waitedFor(parts, way, scene, 1);
  const rule = { requirement, aspect };
  if (protocol === null) {
    way.judgeServed(parts, exchange, rule);
    return;
  }
  const said = readSaid(judge, protocol, exchange, { ...rule, model, stream });
  must(said.text === 'Second time lucky.' && said.usage.prompt === 321 && said.usage.completion === 45, {
    requirement,
    aspect: 'second-attempt-alone',
    expected: `the text and the usage of the second attempt: ${JSON.stringify(usage)}`,
    actual: JSON.stringify(said),
    exchange,
  });
}

/**
 * Retries after upstream failures are optional (reading B-106). If the smallest request is retried, callers expect it of all
 * requests. Another policy for expensive ones violates no rule.
 */
async function adviseAlike(parts: CheckParts, way: WayIn): Promise<void> {
  const [plain, rich] = [await failedOnce(parts, imagesWay(way.model)), await failedOnce(parts, way)];
  if (plain.attempts > 1 && rich.attempts === 1)
    adviseSecondAttempt(
      rich.exchange,
      `a call of ${way.model}, as its smallest one is,`,
      'one upstream call',
    );
}

/** A call whose upstream fails at first, with the number of its upstream calls. */
async function failedOnce(
  parts: CheckParts,
  way: WayIn,
): Promise<{ readonly exchange: Exchange; readonly attempts: number }> {
  parts.cases.count();
  await keepWayClosed(parts, way, 1);
  const scene = parts.newScene();
  await scene.script(serverFault, {});
  const exchange = await way.send(parts, way.body(scene), { label: `${way.model}, which fails at first` });
  return { exchange, attempts: (await scene.requestsNow()).length };
}

export const begunIsNeverRetried = defineCheck({
  id: 'faces.retry.not-once-begun',
  title: 'on the compat paths too a stream that breaks after it began is not restarted',
  requirements: [requirement, 'SSE-020'],
  kind: 'upstream',
  needs: ['upstream.control'],
  oneOf: lastingEndpoints,
  run: async (parts) => {
    const { cases, newScene } = parts;
    for (const way of await lastingWays(parts)) {
      if (!way.stream) continue;
      cases.count();
      await keepWayClosed(parts, way, 1);
      const scene = newScene();
      const broken = { deltas: ['One, ', 'two, ', 'three.'], cut: { after: 2, by: 'rst' } } as const;
      await scene.script({ ...broken, deltas: [...broken.deltas] }, { text: 'All over again.' });
      const label = `${way.name}, a stream that breaks`;
      const exchange = await way.send(parts, way.body(scene), { label });
      const attempts = (await scene.requestsNow()).length;
      const text = exchange.response?.body.toString('utf8') ?? '';
      // A gateway that waits for text before it answers may still retry: no byte has reached the caller.
      const isEarly = isSuccess(exchange) && !text.includes('One, ');
      if (isEarly && attempts > 1) parts.judge.note(`${label}: retried before it began for the caller`);
      must(isEarly || (attempts === 1 && !text.includes('All over again.')), {
        requirement,
        aspect: 'once-begun',
        expected: 'one request at the upstream, and no text of another answer',
        actual: `${attempts} requests`,
        exchange,
      });
    }
  },
});

/** Opens a call and lets the time of so many silent attempts pass. */
async function waitedFor(
  parts: CheckParts,
  way: WayIn,
  scene: Scene,
  attempts: 1 | 2,
  limitMs = silencesOf(parts.target)[0].limitMs,
): Promise<{ exchange: Exchange; second: boolean }> {
  const live = way.open(parts, way.body(scene), {
    label: `${wayLabel(way)}, ${way.model}, upstream hangs`,
  });
  const first = await passTimeout(parts, scene, 1, limitMs);
  const second = attempts === 2 && first && (await passTimeout(parts, scene, 2, limitMs));
  await ended(parts.clock, live);
  return { exchange: await live.done, second };
}
