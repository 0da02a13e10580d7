import { defineCheck } from '../../engine/check.ts';
import { must } from '../../rules/violation.ts';
import { ended, passTimeout } from '../../steps/failures/pass-timeouts.ts';

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
  },
});
