import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import type { FaultFacts } from '../../../oracle/faults/fault-facts.ts';
import { must } from '../../../rules/violation.ts';
import { nativeModels } from '../../../steps/chat/upstream-view.ts';
import { servedAgain } from '../../../steps/failures/served-again.ts';
import { begin, type Call, call, mustServe, type Outage } from './outage.ts';

/** The time between calls, ms, and how many calls span the ramp and its worst half minute. */
const everyMs = 2_000;
const calls = 45;

export const brownout: Outage = {
  id: 'B1',
  requirements: ['ROUTE-011', 'ROUTE-009', 'ROUTE-004', 'ERR-029', 'ERR-030'],
  needs: ['upstream.control', 'upstream.breaker', 'hooks.clock'],
  judge: async (parts, facts) => {
    const { rng, target, newScene } = parts;
    const model = rng.pick(nativeModels(target));
    const scene = await begin(newScene, facts);
    const seen = await goThrough(parts, facts, model);
    const unasked = seen.filter(({ asked }) => asked.length === 0);
    must(unasked.length > 0, {
      requirement: 'ROUTE-009',
      aspect: 'fault-opens',
      expected: 'calls without an upstream request once four fifths of them fail',
      actual: `all of ${seen.length} calls reach it`,
      exchange: seen.at(-1)?.exchange,
    });
    const [first] = seen;
    if (first !== undefined) mustServe(first, 'a good answer while nothing fails yet');
    await scene.stop();
    await servedAgain(parts, [model], { requirement: 'ROUTE-011', aspect: 'recovers' }, 3);
  },
};

async function goThrough(parts: CheckParts, facts: FaultFacts, model: string): Promise<Call[]> {
  const seen: Call[] = [];
  for (let made = 0; made < calls; made += 1) {
    seen.push(await call(parts, facts, model));
    await parts.clock.elapse(everyMs);
  }
  return seen;
}
