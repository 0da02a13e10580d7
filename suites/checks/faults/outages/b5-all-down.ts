import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { FaultFacts } from '../../../oracle/faults/fault-facts.ts';
import { processesOf } from '../../../profile/calls-at-once.ts';
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
  judge: async (parts, facts) => {
    const { rng, clock, target, newScene } = parts;
    const model = rng.pick(nativeModels(target));
    const [first, next] = coolDowns(target);
    const scene = await begin(newScene, facts);
    const open = await callUntilOpen(parts, facts, model, maxUntilOpen(target));
    must(open.code === 'channel_outage', {
      requirement: 'ERR-030',
      aspect: 'fault-code',
      expected: 'channel_outage: the breaker of the only channel is open',
      actual: String(open.code),
      exchange: open.exchange,
    });
    for (let again = 0; again < 3; again += 1)
      judgeUnasked(await call(parts, facts, model), whileOpen, 'while the breaker is open');
    await clock.elapse(first - 2 * marginMs);
    judgeUnasked(await call(parts, facts, model), whileOpen, 'before the cool-down is over');
    await clock.elapse(3 * marginMs);
    await judgeOneProbe(parts, facts, model);
    await scene.step();
    await clock.elapse(next - 2 * marginMs);
    judgeUnasked(await call(parts, facts, model), whileOpen, 'before the next cool-down is over');
    await clock.elapse(3 * marginMs);
    await servedAgain(parts, [model], { requirement: 'ROUTE-011', aspect: 'recovers' }, 3);
  },
};

/** Of several calls at once, only one of each process may probe the upstream. */
async function judgeOneProbe(parts: CheckParts, facts: FaultFacts, model: string): Promise<void> {
  const calls = Array.from({ length: parts.target.profile.cap.value }, () => openCall(parts, facts, model));
  const seen = await Promise.all(calls.map(({ finish }) => finish()));
  const asked = seen.reduce((sum, one) => sum + one.asked.length, 0);
  const probes = processesOf(parts.target.profile);
  must(asked >= 1 && asked <= probes, {
    requirement: 'ROUTE-011',
    aspect: 'fault-one-probe',
    expected: `${probes === 1 ? 'one upstream request' : `1 to ${probes} upstream requests`} for ${calls.length} calls after the cool-down`,
    actual: String(asked),
    exchange: seen[0]?.exchange,
  });
}
