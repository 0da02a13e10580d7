import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { plainAccepted } from '../../oracle/accepted.ts';
import { must } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { coolDownsOf, isServed, judgeOut, openBreakers } from '../../steps/failures/outage-state.ts';
import {
  type RoutedCall,
  routedCall,
  routesOf,
  type Strain,
  serverFault,
  strainsOf,
} from '../../steps/failures/routed-call.ts';

/** After its cool-down a channel may take so much longer to be used again (B-108), ms. */
const slackMs = 30_000;

export const breakerClosesByItself = defineCheck({
  id: 'route.recovery.by-itself',
  title: 'a broken channel serves again by itself after its cool-down once its upstream recovers',
  requirements: ['ROUTE-011'],
  kind: 'timing',
  needs: ['upstream.control', 'time'],
  clock: 'jump',
  lanes: { quick: 4, full: 4 },
  run: async (parts) => {
    const { lanes, target, clock } = parts;
    const models = [...dialectModels(target), ...routesOf(target, 'pair').slice(0, 1)];
    // A lane each where there are enough: without a clock to be moved they wait side by side.
    const strains = models.flatMap((model, place) => strainsOf(lanes, [model])[place % lanes.length] ?? []);
    const opened = await Promise.all(strains.map((strain) => openBreakers(parts, strain)));
    const [first, next] = coolDownsOf(target);
    await outAtHalf(parts, strains, first, Math.min(...opened));
    await clock.elapse(first / 2 + marginMs(first));
    // The probe fails, and everything begins again, for longer.
    const again = clock.now();
    await Promise.all(strains.map(failProbes));
    await outAtHalf(parts, strains, next, again + next);
    await clock.elapse(next / 2 + marginMs(next));
    await judgeRecovers(parts, strains);
  },
});

function marginMs(coolDownMs: number): number {
  return Math.min(1_000, coolDownMs / 4);
}

/** In the middle of a declared cool-down nothing has been forgotten. */
async function outAtHalf(
  parts: CheckParts,
  strains: readonly Strain[],
  coolDownMs: number,
  until: number,
): Promise<void> {
  await parts.clock.elapse(coolDownMs / 2);
  if (parts.target.profile.upstream?.breaker === undefined) return;
  await Promise.all(
    strains.map((strain) => judgeOut(parts, strain, `after half of ${coolDownMs} ms`, { until })),
  );
}

async function failProbes(strain: Strain): Promise<void> {
  const probes = Math.max(1, strain.channels.length);
  for (let probe = 0; probe < probes; probe += 1)
    await routedCall(strain, { '*': [serverFault] }, { label: `${strain.model}, the probe fails` });
}

/** Calls until all are served, while the slack passes. */
async function judgeRecovers({ clock, cases, judge }: CheckParts, strains: readonly Strain[]): Promise<void> {
  let ill: readonly Strain[] = strains;
  let last: RoutedCall | null = null;
  for (const passMs of [0, slackMs / 3, (slackMs * 2) / 3]) {
    if (ill.length === 0) break;
    if (passMs > 0) await clock.elapse(passMs);
    const still: Strain[] = [];
    for (const strain of ill) {
      last = await routedCall(strain, {}, { label: `${strain.model}, well again` });
      if (!isServed(last)) still.push(strain);
    }
    ill = still;
  }
  must(ill.length === 0, {
    requirement: 'ROUTE-011',
    aspect: 'recovers',
    expected: `an answer within the cool-down and ${slackMs} ms: the upstream is well again`,
    actual: `HTTP ${last?.exchange.response?.status} for ${ill.map(({ model }) => model).join(', ')}`,
    exchange: last?.exchange,
  });
  for (const strain of strains) {
    cases.count();
    for (let call = 0; call < 3; call += 1) {
      const { exchange } = await routedCall(strain, {}, { label: `${strain.model}, back for good` });
      judge.completed(exchange, {
        ...plainAccepted,
        requirement: 'ROUTE-011',
        aspect: 'stays-back',
        model: strain.model,
      });
    }
  }
}
