import { type Check, defineCheck } from '../../../engine/check.ts';
import { type FaultFacts, faultCheckId } from '../../../oracle/faults/fault-facts.ts';
import { titleOf } from '../title.ts';
import { brownout } from './b1-brownout.ts';
import { flapping } from './b2-flapping.ts';
import { slowPoison } from './b3-slow-poison.ts';
import { oneRegionDown } from './b4-one-region-down.ts';
import { allDown } from './b5-all-down.ts';
import { recoveryStampede } from './b6-recovery-stampede.ts';
import { correlated429 } from './b7-correlated-429.ts';
import type { Outage } from './outage.ts';

const outages: readonly Outage[] = [
  brownout,
  flapping,
  slowPoison,
  oneRegionDown,
  allDown,
  recoveryStampede,
  correlated429,
];

/** The check of an outage of the catalogue. @throws Error for an unknown outage. */
export function outageCheck(facts: FaultFacts): Check {
  const outage = outages.find(({ id }) => id === facts.id);
  if (outage === undefined) throw new Error(`the outage ${facts.id} ${facts.name} has no check`);
  return defineCheck({
    id: faultCheckId(facts),
    title: titleOf(facts),
    requirements: outage.requirements,
    kind: 'upstream',
    needs: outage.needs,
    ...(outage.needs.some((fact) => fact === 'time' || fact === 'hooks.clock')
      ? { clock: 'jump' as const }
      : {}),
    run: (parts) => outage.judge(parts, facts),
  });
}
