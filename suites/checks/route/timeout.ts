import { defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import type { Scene } from '../../engine/scene.ts';
import { must } from '../../engine/violation.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

export const timeoutIsRetriedOnce = defineCheck({
  id: 'route.timeout.two-attempts',
  title: 'an upstream that never answers is asked twice, and then the caller gets 504 upstream_timeout',
  requirements: ['ROUTE-004'],
  kind: 'upstream',
  needs: ['upstream.control', 'time'],
  clock: 'jump',
  run: async (kit) => {
    for (const stream of [false, true]) {
      kit.countCase();
      const scene = kit.scene();
      const model = kit.anyModel();
      await scene.script({ hang: 'head' });
      const label = stream ? 'stream, upstream hangs' : 'plain, upstream hangs';
      const live = kit.openChat({ ...scene.minimal(model), stream }, { label });
      const first = await passTimeout(kit, scene, 1);
      const second = first && (await passTimeout(kit, scene, 2));
      await ended(kit, live);
      const exchange = await live.done;
      const attempts = (await scene.requestsNow()).length;
      must(second && attempts === 2, {
        requirement: 'ROUTE-004',
        aspect: 'two-attempts',
        expected: 'two requests at the upstream that never answers',
        actual: `${attempts}`,
        exchange,
      });
      kit.refused(exchange, {
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
  title: 'when the second attempt after a timeout answers, the caller gets that answer and its usage',
  requirements: ['ROUTE-005'],
  kind: 'upstream',
  needs: ['upstream.control', 'time'],
  clock: 'jump',
  run: async (kit) => {
    const usage = { prompt_tokens: 321, completion_tokens: 45 };
    for (const stream of [false, true]) {
      kit.countCase();
      const scene = kit.scene();
      const model = kit.anyModel();
      await scene.script({ hang: 'head' }, { text: 'Second time lucky.', usage });
      const label = stream ? 'stream, first attempt hangs' : 'plain, first attempt hangs';
      const live = kit.openChat({ ...scene.minimal(model), stream }, { label });
      await passTimeout(kit, scene, 1);
      await ended(kit, live);
      const exchange = await live.done;
      const expected = { requirement: 'ROUTE-005', aspect: 'retry-answers', model };
      const seen = stream ? kit.streamed(exchange, expected) : kit.completed(exchange, expected);
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

/** Extra time for a gateway that pauses before it tries again, ms. */
const pauseMs = 10_000;

/** Waits for the n-th attempt to hang and lets the deployment's own time limit pass. False when there is no such attempt. */
export async function passTimeout(kit: Kit, scene: Scene, attempt: number): Promise<boolean> {
  const limitMs = kit.profile.upstream?.first_byte_timeout_ms ?? 0;
  let arrived = (await scene.requests(attempt)).length >= attempt;
  if (!arrived && attempt > 1) {
    await kit.elapse(pauseMs);
    arrived = (await scene.requests(attempt)).length >= attempt;
  }
  if (!arrived) return false;
  // A gateway need not let go of an attempt that it has given up, so the earlier ones may hang on beside this one.
  const alone = attempt === 1 || (await scene.ended(attempt - 1));
  if (!(await scene.held(alone ? 1 : attempt))) return false;
  await kit.elapse(limitMs + 100);
  return true;
}

/** Gives the answer a moment to come, and time that passes when it does not. */
export async function ended(kit: Kit, live: LiveExchange): Promise<void> {
  let over = false;
  void live.done.then(() => {
    over = true;
  });
  for (let round = 0; round < 4 && !over; round += 1) {
    await live.until(() => over, 1_000);
    if (!over) await kit.elapse(pauseMs);
  }
  if (!over) live.abort();
}
