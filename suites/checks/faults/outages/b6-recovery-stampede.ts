import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { FaultFacts } from '../../../oracle/faults/fault-facts.ts';
import { callsAtOnce, probesOf } from '../../../profile/calls-at-once.ts';
import { nativeModels } from '../../../steps/chat/upstream-view.ts';
import { servedAgain } from '../../../steps/failures/served-again.ts';
import {
  begin,
  call,
  callUntilOpen,
  coolDowns,
  judgeUnasked,
  marginMs,
  maxUntilOpen,
  mustServe,
  type Outage,
  openCall,
} from './outage.ts';

/** The time between calls to an upstream that accepts one call per second, ms. */
const oneASecondMs = 1_100;

const recovers = { requirement: 'ROUTE-011', aspect: 'recovers' };

export const recoveryStampede: Outage = {
  id: 'B6',
  requirements: ['ROUTE-011', 'ROUTE-009', 'ROUTE-004', 'ERR-022', 'ERR-030'],
  needs: ['upstream.control', 'upstream.breaker', 'time'],
  judge: async (parts, facts) => {
    const { rng, clock, target, newScene } = parts;
    const model = rng.pick(nativeModels(target));
    const scene = await begin(newScene, facts);
    await callUntilOpen(parts, facts, model, maxUntilOpen(target));
    await scene.step();
    await clock.elapse(coolDowns(target)[0] + marginMs);
    const probes = await judgeStampede(parts, facts, model);
    // Two simultaneous probes exceed the limit of this upstream and reopen the breaker.
    if (probes > 1) await clock.elapse(coolDowns(target)[1] + marginMs);
    for (let calls = 0; calls < 3; calls += 1) {
      await clock.elapse(oneASecondMs);
      mustServe(
        await call(parts, facts, model),
        'good answers at a rate that the upstream can take',
        recovers,
      );
    }
    await scene.stop();
    await servedAgain(parts, [model], recovers, 2);
  },
};

/** While the first call after the cool-down is in flight, all others wait elsewhere. Returns how many probed the channel. */
async function judgeStampede(parts: CheckParts, facts: FaultFacts, model: string): Promise<number> {
  const probing = parts.newScene();
  await probing.script({ gates: ['head'] });
  const probe = openCall(parts, facts, model, { scene: probing });
  await Promise.race([probing.held(1).catch(() => false), probe.live.done]);
  const keys = [parts.keys.K1, parts.keys.K4 ?? parts.keys.K1];
  const others = Array.from({ length: callsAtOnce(parts.target.profile) }, (_, index) =>
    openCall(parts, facts, model, { key: keys[index % keys.length] ?? parts.keys.K1 }),
  );
  const seen = await Promise.all(others.map(({ finish }) => finish()));
  await probing.release();
  const first = await probe.finish();
  // As many as the deployment declares may probe it at once.
  const asking = seen.filter(({ asked }) => asked.length > 0);
  for (const one of asking.slice(probesOf(parts.target.profile) - 1)) {
    const rule = { requirement: 'ROUTE-011', aspect: 'fault-one-probe' };
    judgeUnasked(one, rule, 'beside the one call that probes the channel');
  }
  mustServe(first, 'a good answer to the call that probes the channel', recovers);
  return 1 + asking.length;
}
