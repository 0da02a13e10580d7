import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { FaultFacts } from '../../../oracle/faults/fault-facts.ts';
import { probesOf } from '../../../profile/calls-at-once.ts';
import { must } from '../../../rules/violation.ts';
import { nativeModels } from '../../../steps/chat/upstream-view.ts';
import { servedAgain } from '../../../steps/failures/served-again.ts';
import {
  begin,
  type Call,
  callUnasked,
  callUntilOpen,
  coolDowns,
  marginMs,
  maxUntilOpen,
  type Outage,
  openCall,
  pauseOf,
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
    const { refused, opening } = await callUntilOpen(parts, facts, model, maxUntilOpen(target));
    must(refused.code === 'channel_outage', {
      requirement: 'ERR-030',
      aspect: 'fault-code',
      expected: 'channel_outage: the breaker of the only channel is open',
      actual: String(refused.code),
      exchange: refused.exchange,
    });
    const coolDown = { model, pause: pauseOf(parts, [opening ?? refused]), ms: first };
    for (let again = 0; again < 3; again += 1)
      await callUnasked(parts, facts, coolDown, whileOpen, 'while the breaker is open');
    await clock.elapseTo(coolDown.pause.earliestMs + first - 2 * marginMs);
    await callUnasked(parts, facts, coolDown, whileOpen, 'before the cool-down is over');
    await clock.elapseTo(coolDown.pause.latestMs + first + marginMs);
    const probe = await judgeOneProbe(parts, facts, model);
    await scene.step();
    const longer = { model, pause: pauseOf(parts, [probe]), ms: next };
    await clock.elapseTo(longer.pause.earliestMs + next - 2 * marginMs);
    await callUnasked(parts, facts, longer, whileOpen, 'before the next cool-down is over');
    await clock.elapseTo(longer.pause.latestMs + next + marginMs);
    await servedAgain(parts, [model], { requirement: 'ROUTE-011', aspect: 'recovers' }, 3);
  },
};

/** Of several calls at once, only as many as are declared may probe the upstream. Returns the last that did. */
async function judgeOneProbe(parts: CheckParts, facts: FaultFacts, model: string): Promise<Call> {
  const calls = Array.from({ length: parts.target.profile.cap.value }, () => openCall(parts, facts, model));
  const seen = await Promise.all(calls.map(({ finish }) => finish()));
  const asked = seen.reduce((sum, one) => sum + one.asked.length, 0);
  const probes = probesOf(parts.target.profile);
  must(asked >= 1 && asked <= probes, {
    requirement: 'ROUTE-011',
    aspect: 'fault-one-probe',
    expected: `${probes === 1 ? 'one upstream request' : `1 to ${probes} upstream requests`} for ${calls.length} calls after the cool-down`,
    actual: String(asked),
    exchange: seen[0]?.exchange,
  });
  const probing = seen.filter((one) => one.asked.length > 0);
  return probing.reduce((last, one) => (one.exchange.endedAt > last.exchange.endedAt ? one : last));
}
