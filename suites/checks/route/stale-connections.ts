import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { flag, part, Untestable } from '../../rules/violation.ts';
import { promptOfWords } from '../../steps/chat/leave-stream.ts';
import { adviseSecondAttempt } from '../../steps/failures/judge-hidden.ts';
import { breakerBudgetsOf, routesOf } from '../../steps/failures/routed-call.ts';
import { type Exchange, isSuccess, outcomeOf } from '../../wire/exchange.ts';

/** Simultaneous calls, as many as the cap allows, so that the gateway then keeps several connections. */
const atOnce = 2;
const ends = ['rst', 'fin'] as const;

/** All kept connections are dead, as after a restart of a proxy in front of the upstream. */
export const staleConnectionsAreLeft: Check = defineCheck({
  id: 'route.stale.connections',
  title: 'when all kept connections to the upstreams are dead, a second attempt opens a new one',
  requirements: ['ROUTE-002', 'LIM-018'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  run: async (parts) => {
    for (const { model } of breakerBudgetsOf([parts.tenants[0]], routesOf(parts.target, 'pair')))
      for (const by of ends) await part(() => judgeChat(parts, model, by));
    for (const { model } of parts.target.profile.upstream?.media_routes ?? [])
      if (parts.target.mediaModelsOf('images').includes(model))
        for (const by of ends) await part(() => judgePictures(parts, model, by));
    for (const by of ends) await part(() => judgeCount(parts, by));
  },
});

async function judgeChat(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  by: End,
): Promise<void> {
  cases.count();
  await Promise.all(
    Array.from({ length: atOnce }, async () =>
      http.chat(newScene().minimal(model), { label: `${model}, healthy` }),
    ),
  );
  const scene = newScene();
  await scene.loseReused(by);
  const exchange = await http.chat(scene.minimal(model), {
    label: `${model}, whose kept connections are dead`,
  });
  if (!isServed(exchange, (await scene.requestsNow()).length, model)) return;
  judge.completed(exchange, { requirement: 'ROUTE-002', aspect: 'new-connection', model });
}

async function judgePictures({ cases, newScene, images }: CheckParts, model: string, by: End): Promise<void> {
  cases.count();
  const healthy = { label: `${model}, healthy` };
  await Promise.all(
    Array.from({ length: atOnce }, async () => images.generate(newScene().minimalMedia(model), healthy)),
  );
  const scene = newScene();
  await scene.loseReused(by);
  const label = `${model}, whose kept connections are dead`;
  const exchange = await images.generate(scene.minimalMedia(model), { label });
  if (!isServed(exchange, (await scene.requestsNow()).length, model)) return;
  images.pictured(exchange, { requirement: 'ROUTE-002', aspect: 'new-connection', form: null });
}

/** Judges that a call was served. After one attempt it need not be (reading B-106). */
function isServed(exchange: Exchange, attempts: number, model: string): boolean {
  if (isSuccess(exchange)) return true;
  if (attempts === 1) {
    adviseSecondAttempt(exchange, `a call of ${model}, whose connection is dead,`, 'one upstream call');
    return false;
  }
  flag(false, {
    ...{ requirement: 'ROUTE-002', aspect: 'new-connection', exchange },
    expected: `an answer of ${model}, whose channels are healthy on any new connection`,
    actual: `${outcomeOf(exchange)} after ${attempts} requests`,
  });
  return false;
}

/**
 * Judges that the gateway enforces a window that the upstream does not know, even if its first counting connection is dead.
 */
async function judgeCount(parts: CheckParts, by: End): Promise<void> {
  const { cases, newScene, rng, http, judge, target } = parts;
  const own = target.profile.chat.extra_models.flatMap(({ id, context_tokens: window }) =>
    window === undefined ? [] : [{ id, window }],
  );
  if (own.length === 0) throw new Untestable('chat.extra_models with context_tokens');
  for (const { id: model, window } of own) {
    cases.count();
    const text = promptOfWords(rng, Math.floor(window / 2));
    const asked = { max_tokens: Math.ceil((window * 3) / 4) };
    await Promise.all(
      Array.from({ length: atOnce }, async () =>
        http.chat(newScene().minimal(model), { label: `${model}, healthy` }),
      ),
    );
    const scene = newScene();
    await scene.loseReused(by);
    const label = `${model}, beyond its window, whose kept connections are dead`;
    const exchange = await http.chat({ ...scene.minimal(model, text), ...asked }, { label });
    judge.refused(exchange, { requirement: 'LIM-018', aspect: 'counted-anew', codes: ['context_too_long'] });
  }
}

type End = (typeof ends)[number];
