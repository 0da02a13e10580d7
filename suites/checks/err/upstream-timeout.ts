import { defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import type { Scene } from '../../engine/scene.ts';
import { must } from '../../engine/violation.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { dialectModels } from '../chat/upstream-view.ts';
import { keepClosed } from '../faults/strain.ts';

/** More attempts than any deployment may make of one request; the number itself is another check's matter. */
const attemptsAtMost = 6;

export const silenceIsUpstreamTimeout = defineCheck({
  id: 'err.code.upstream-timeout',
  title: 'an upstream that stays silent is answered 504 upstream_timeout, plain and with a stream asked for',
  requirements: ['ERR-031', 'ERR-006', 'ERR-008'],
  kind: 'upstream',
  needs: ['upstream.control', 'hooks.clock'],
  clock: 'jump',
  run: async (kit) => {
    for (const model of dialectModels(kit)) await judgeSilence(kit, model);
  },
});

async function judgeSilence(kit: Kit, model: string): Promise<void> {
  const rule = { requirement: 'ERR-031', aspect: 'provoked' };
  const twin = await kit.chat(kit.scene().minimal(model), { label: 'positive twin' });
  kit.completed(twin, { ...rule, aspect: 'twin-served', model });
  for (const stream of [false, true]) {
    kit.countCase();
    await keepClosed(kit, model);
    const scene = kit.scene();
    await scene.script({ hang: 'head' });
    const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
    const live = kit.openChat(body, {
      label: `${model}, whose upstream is silent${stream ? ', stream' : ''}`,
    });
    await passTimeouts(kit, scene, live);
    kit.refused(await live.done, { ...rule, codes: ['upstream_timeout'], twin });
  }
}

/** Lets each attempt reach the upstream and then its time pass, until the gateway gives up. */
export async function passTimeouts(kit: Kit, scene: Scene, live: LiveExchange): Promise<void> {
  const stepMs = kit.profile.upstream?.first_byte_timeout_ms ?? 0;
  for (let attempt = 1; attempt <= attemptsAtMost; attempt += 1) {
    const answered = live.head.then(() => 'answered' as const);
    // Left behind when the answer comes first, so it may fail unheard.
    const arrived = scene.requests(attempt).catch(() => []);
    const next = await Promise.race([answered, arrived]);
    if (next === 'answered') return;
    if (next.length < attempt) break;
    await kit.clock.advance(stepMs);
  }
  live.abort();
  must(false, {
    requirement: 'ERR-031',
    aspect: 'gives-up',
    expected: `an answer once ${stepMs} ms have passed for each attempt`,
    actual: 'no answer',
    exchange: await live.done,
  });
}
