import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { FaultFacts } from '../../../oracle/faults/fault-facts.ts';
import { must } from '../../../rules/violation.ts';
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
  type Outage,
  openCall,
} from './outage.ts';

/** Between calls to an upstream that takes one a second, ms. */
const oneASecondMs = 1_100;

export const recoveryStampede: Outage = {
  id: 'B6',
  requirements: ['ROUTE-011', 'ROUTE-009', 'ROUTE-004', 'ERR-022', 'ERR-030'],
  needs: ['upstream.control', 'upstream.breaker', 'time'],
  judge: async (kit, facts) => {
    const model = kit.rng.pick(nativeModels(kit));
    const scene = await begin(kit, facts);
    await callUntilOpen(kit, facts, model, maxUntilOpen(kit));
    await scene.step();
    await kit.clock.elapse(coolDowns(kit)[0] + marginMs);
    await judgeStampede(kit, facts, model);
    for (let calls = 0; calls < 3; calls += 1) {
      await kit.clock.elapse(oneASecondMs);
      const { code, exchange } = await call(kit, facts, model);
      must(code === null, {
        requirement: 'ROUTE-011',
        aspect: 'recovers',
        expected: 'good answers again, as long as they are as few as the upstream takes',
        actual: String(code),
        exchange,
      });
    }
    await scene.stop();
    await servedAgain(kit, [model], { requirement: 'ROUTE-011', aspect: 'recovers' }, 2);
  },
};

/** While the first call after the cool-down is under way, all others wait for what comes of it elsewhere. */
async function judgeStampede(kit: CheckParts, facts: FaultFacts, model: string): Promise<void> {
  const probing = kit.newScene();
  await probing.script({ gates: ['head'] });
  const probe = openCall(kit, facts, model, { scene: probing });
  await Promise.race([probing.held(1).catch(() => false), probe.live.done]);
  const keys = [kit.keys.K1, kit.keys.K4 ?? kit.keys.K1];
  const others = Array.from({ length: Math.max(1, kit.target.profile.cap.value - 1) }, (_, index) =>
    openCall(kit, facts, model, { key: keys[index % keys.length] ?? kit.keys.K1 }),
  );
  const seen = await Promise.all(others.map(({ finish }) => finish()));
  await probing.release();
  const first = await probe.finish();
  for (const one of seen) {
    const rule = { requirement: 'ROUTE-011', aspect: 'fault-one-probe' };
    judgeUnasked(one, rule, 'beside the one call that tries the channel');
  }
  must(first.code === null, {
    requirement: 'ROUTE-011',
    aspect: 'recovers',
    expected: 'a good answer to the call that tries the channel',
    actual: String(first.code),
    exchange: first.exchange,
  });
}
