import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { coveringArray } from '../../generators/covering-array.ts';
import {
  type ChatPairs,
  chatFactors,
  pairedChatBody,
  plainPairs,
} from '../../generators/paired-chat-body.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { must, part } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { ended, passTimeout } from '../../steps/failures/pass-timeouts.ts';
import { at } from '../../steps/failures/routed-call.ts';

export const timeoutIsRetriedOnce = defineCheck({
  id: 'route.timeout.two-attempts',
  title: 'an upstream that never answers is tried twice, then the caller gets 504 upstream_timeout',
  requirements: ['ROUTE-004'],
  kind: 'upstream',
  needs: ['upstream.control', 'time'],
  clock: 'jump',
  run: async (parts) => {
    const { cases, newScene, target, http, judge, clock } = parts;
    for (const stream of [false, true]) {
      cases.count();
      const scene = newScene();
      const model = target.anyModel();
      await scene.script({ hang: 'head' });
      const label = stream ? 'stream, upstream hangs' : 'plain, upstream hangs';
      const live = http.openChat({ ...scene.minimal(model), stream }, { label });
      const first = await passTimeout(parts, scene, 1);
      const second = first && (await passTimeout(parts, scene, 2));
      await ended(clock, live);
      const exchange = await live.done;
      const attempts = (await scene.requestsNow()).length;
      must(second && attempts === 2, {
        requirement: 'ROUTE-004',
        aspect: 'two-attempts',
        expected: 'two requests at the upstream that never answers',
        actual: `${attempts}`,
        exchange,
      });
      judge.refused(exchange, {
        requirement: 'ROUTE-004',
        aspect: 'timeout-code',
        codes: ['upstream_timeout'],
        param: null,
      });
    }
  },
});

export const retryAfterTimeoutSucceeds = defineCheck({
  id: 'route.timeout.retry-succeeds',
  title: 'when the retry after a timeout succeeds, the caller gets its answer and its usage',
  requirements: ['ROUTE-005'],
  kind: 'upstream',
  needs: ['upstream.control', 'time'],
  clock: 'jump',
  run: async (parts) => {
    const { cases, newScene, target, http, judge, clock } = parts;
    const usage = { prompt_tokens: 321, completion_tokens: 45 };
    for (const stream of [false, true]) {
      cases.count();
      const scene = newScene();
      const model = target.anyModel();
      await scene.script({ hang: 'head' }, { text: 'Second time lucky.', usage });
      const label = stream ? 'stream, first attempt hangs' : 'plain, first attempt hangs';
      const live = http.openChat({ ...scene.minimal(model), stream }, { label });
      await passTimeout(parts, scene, 1);
      await ended(clock, live);
      const exchange = await live.done;
      const expected = { requirement: 'ROUTE-005', aspect: 'retry-answers', model };
      const seen = stream ? judge.streamed(exchange, expected) : judge.completed(exchange, expected);
      const whole = seen.content === 'Second time lucky.' && seen.usage.prompt_tokens === 321;
      must(whole && seen.usage.completion_tokens === 45, {
        requirement: 'ROUTE-005',
        aspect: 'second-attempt-alone',
        expected: `the text and the usage of the second attempt: ${JSON.stringify(usage)}`,
        actual: `${JSON.stringify(seen.content)}, ${JSON.stringify(seen.usage)}`,
        exchange,
      });
    }
    await judgeShapes(parts);
  },
});

/** Judges the same for requests of every shape: each legal value of each field once, on alternating dialects. */
async function judgeShapes(parts: CheckParts): Promise<void> {
  const { target, rng } = parts;
  const models = rng.shuffle(dialectModels(target));
  for (const [place, pairs] of coveringArray(chatFactors, rng, 1).entries())
    await part(() => judgeShape(parts, at(models, place), plainPairs(pairs)));
}

async function judgeShape(parts: CheckParts, model: string, pairs: ChatPairs): Promise<void> {
  const { cases, newScene, http, judge, clock } = parts;
  cases.count();
  await keepClosed(parts, model, 1);
  const scene = newScene();
  await scene.script({ hang: 'head' }, {});
  const vision = chatModel(model)?.vision === true;
  const body = pairedChatBody(pairs, { model, prompt: scene.prompt(), vision });
  const names = Object.keys(body).slice(2).join(', ');
  const live = http.openChat(body, { label: `${model} with ${names || 'nothing'}, first attempt hangs` });
  await passTimeout(parts, scene, 1);
  await ended(clock, live);
  judgeAccepted(judge, body, await live.done, { requirement: 'ROUTE-005', aspect: 'any-chat-retried' });
}
