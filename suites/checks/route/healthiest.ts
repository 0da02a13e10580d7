import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { plainAccepted } from '../../oracle/accepted.ts';
import { must } from '../../rules/violation.ts';
import { coolDownsOf } from '../../steps/failures/outage-state.ts';
import {
  at,
  type BreakerBudget,
  breakerBudgetsOf,
  otherThan,
  routedCall,
  routesOf,
  serverFault,
} from '../../steps/failures/routed-call.ts';

/** The number of calls to learn from, and of judged calls after them. */
const learning = 12;
const judged = 20;

/** How many judged calls may still probe the other channel first (5 %). */
const probesAllowed = 1;

const fastMs = 20;
const slowMs = 600;

interface FirstsOptions {
  /** The channel that must not be called first. */
  readonly bad: string;
  readonly replies: Readonly<Record<string, readonly Reply[]>>;
  readonly aspect: string;
}

export const failingComesLast = defineCheck({
  id: 'route.healthiest.after-failures',
  title: 'once a channel fails repeatedly, at least 95 % of calls go first to the healthy one',
  requirements: ['ROUTE-001'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  tenants: { quick: 2, full: 2 },
  run: async (parts) => {
    const { cases, tenants, target } = parts;
    const budgets = breakerBudgetsOf(tenants, routesOf(target, 'pair'));
    for (const [place, budget] of budgets.slice(0, cases.full ? budgets.length : 2).entries()) {
      const { name: bad } = at(budget.channels, place);
      for (let call = 0; call < learning; call += 1)
        await routedCall(budget, { [bad]: [serverFault] }, { label: `learning, ${bad} fails` });
      await judgeFirsts(parts, budget, {
        bad,
        replies: { [bad]: [serverFault] },
        aspect: 'healthiest-first',
      });
    }
  },
});

export const stumblingComesLast = defineCheck({
  id: 'route.healthiest.after-two-failures',
  title: 'after two recent failures a channel is the first choice for few of the next calls',
  requirements: ['ROUTE-001'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  tenants: { quick: 2, full: 2 },
  run: async (parts) => {
    const { judge, tenants, target } = parts;
    for (const [place, budget] of breakerBudgetsOf(tenants, routesOf(target, 'pair').slice(-1)).entries()) {
      const { name: bad } = at(budget.channels, place);
      let stumbles = 0;
      for (let call = 0; call < learning && stumbles < 2; call += 1) {
        const seen = await routedCall(budget, { [bad]: [serverFault] }, { label: `${bad} stumbles` });
        stumbles += seen.channels.filter((channel) => channel === bad).length;
      }
      const firsts = await firstChannels(parts, budget, {});
      const wrong = firsts.filter((channel) => channel === bad).length;
      // The deployment decides how much two failures count.
      if (wrong > judged / 5)
        judge.advise({
          requirement: 'ROUTE-001',
          aspect: 'stumbling-last',
          expected: `most of ${judged} calls at the channel that has never failed`,
          actual: `${wrong} first at ${bad}, which failed ${stumbles} times`,
        });
    }
  },
});

export const slowComesLast = defineCheck({
  id: 'route.healthiest.after-latency',
  title: 'once a channel is 30 times slower than the other one, calls go first to the fast one',
  requirements: ['ROUTE-001'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  tenants: { quick: 2, full: 2 },
  run: async (parts) => {
    const { judge, tenants, target } = parts;
    const budgets = breakerBudgetsOf(tenants, routesOf(target, 'pair').slice(0, 1));
    await Promise.all(
      budgets.map(async (budget, place) => {
        const { name: slow } = at(budget.channels, place);
        const replies = { '*': [paced(fastMs)], [slow]: [paced(slowMs)] };
        await Promise.all(
          Array.from({ length: learning }, () => routedCall(budget, replies, { label: `${slow} is slow` })),
        );
        const firsts = await firstChannels(parts, budget, replies);
        const share = firsts.filter((channel) => channel !== slow).length;
        // The deployment decides how much latency counts.
        if (share < judged - 2 * probesAllowed)
          judge.advise({
            requirement: 'ROUTE-001',
            aspect: 'fast-first',
            expected: `most of ${judged} calls at the channel that is thirty times faster`,
            actual: `${share}`,
          });
      }),
    );
  },
});

export const preferredComesFirst = defineCheck({
  id: 'route.healthiest.by-rank',
  title: 'the preferred channel gets the calls while healthy, the other after repeated failures',
  requirements: ['ROUTE-001', 'ROUTE-002'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.ranked'],
  run: async (parts) => {
    const [budget] = breakerBudgetsOf(parts.tenants, routesOf(parts.target, 'ranked'));
    if (budget === undefined) return;
    const preferred = at(budget.channels, 0).name;
    const spare = otherThan(budget, preferred);
    await judgeFirsts(parts, budget, { bad: spare, replies: {}, aspect: 'preferred-first' });
    const bad = { [preferred]: [serverFault] };
    for (let call = 0; call < learning; call += 1)
      await routedCall(budget, bad, { label: `learning, ${preferred} fails` });
    await judgeFirsts(parts, budget, { bad: preferred, replies: bad, aspect: 'healthiest-first' });
  },
});

/** One more probe is allowed for each half cool-down that has passed. */
function probesIn(target: Target, tookMs: number): number {
  return Math.floor((2 * tookMs) / coolDownsOf(target)[0]);
}

function paced(first_ms: number): Reply {
  return { text: 'Here it is.', pacing: { first_ms } };
}

/** Makes calls that must all succeed, and returns the first channel of each. */
async function firstChannels(
  { cases, judge }: CheckParts,
  budget: BreakerBudget,
  replies: Readonly<Record<string, readonly Reply[]>>,
): Promise<string[]> {
  const firsts: string[] = [];
  for (let call = 0; call < judged; call += 1) {
    cases.count();
    const { exchange, channels } = await routedCall(budget, replies, { label: `${budget.model}, judged` });
    const hasMetFailure = channels.length === 0 || (replies[channels[0] ?? '']?.[0]?.status ?? 200) !== 200;
    if (!hasMetFailure) judge.completed(exchange, { ...plainAccepted, model: budget.model });
    firsts.push(channels[0] ?? 'none');
  }
  return firsts;
}

async function judgeFirsts(parts: CheckParts, budget: BreakerBudget, options: FirstsOptions): Promise<void> {
  const { clock, http, target } = parts;
  const { bad, replies, aspect } = options;
  const began = clock.now();
  const firsts = await firstChannels(parts, budget, replies);
  const max = probesAllowed + probesIn(target, clock.now() - began);
  const wrong = firsts.filter((channel) => channel === bad || channel === 'none').length;
  const expected = `at most ${max} of ${firsts.length} calls of ${budget.model} first at ${bad}`;
  const actual = `${wrong}`;
  must(wrong <= max, { requirement: 'ROUTE-001', aspect, expected, actual, exchange: http.sent.at(-1) });
}
