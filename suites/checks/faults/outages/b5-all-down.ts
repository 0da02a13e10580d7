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

const whileOpen = { requirement: 'ROUTE-009', aspect: 'fault-no-call' };

export const allDown: Outage = {
  id: 'B5',
  requirements: ['ROUTE-009', 'ROUTE-011', 'ROUTE-004', 'ERR-022', 'ERR-030'],
  needs: ['upstream.control', 'upstream.breaker', 'time'],
  judge: async (kit, facts) => {
    const model = kit.rng.pick(nativeModels(kit));
    const [first, next] = coolDowns(kit);
    const scene = await begin(kit, facts);
    const open = await callUntilOpen(kit, facts, model, maxUntilOpen(kit));
    must(open.code === 'channel_outage', {
      requirement: 'ERR-030',
      aspect: 'fault-code',
      expected: 'channel_outage: the breaker of the only channel is open',
      actual: String(open.code),
      exchange: open.exchange,
    });
    for (let again = 0; again < 3; again += 1)
      judgeUnasked(await call(kit, facts, model), whileOpen, 'while the breaker is open');
    await kit.clock.elapse(first - 2 * marginMs);
    judgeUnasked(await call(kit, facts, model), whileOpen, 'before the cool-down is over');
    await kit.clock.elapse(3 * marginMs);
    await judgeOneProbe(kit, facts, model);
    await scene.step();
    await kit.clock.elapse(next - 2 * marginMs);
    judgeUnasked(await call(kit, facts, model), whileOpen, 'before the next cool-down is over');
    await kit.clock.elapse(3 * marginMs);
    await servedAgain(kit, [model], { requirement: 'ROUTE-011', aspect: 'recovers' }, 3);
  },
};

/** Several calls at once, and only one of them may find out that the upstream is still down. */
async function judgeOneProbe(kit: CheckParts, facts: FaultFacts, model: string): Promise<void> {
  const calls = Array.from({ length: kit.target.profile.cap.value }, () => openCall(kit, facts, model));
  const seen = await Promise.all(calls.map(({ finish }) => finish()));
  const asked = seen.reduce((sum, one) => sum + one.asked.length, 0);
  must(asked === 1, {
    requirement: 'ROUTE-011',
    aspect: 'fault-one-probe',
    expected: `one upstream request for ${calls.length} calls after the cool-down`,
    actual: String(asked),
    exchange: seen[0]?.exchange,
  });
}
