import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import { must } from '../../rules/violation.ts';
import { coolDownsOf } from '../../steps/failures/outage-state.ts';
import { at, breakerBudgetsOf, routedCall, routesOf } from '../../steps/failures/routed-call.ts';

/** Calls to learn from, calls to judge, and how many of these may still probe the bad channel. */
const learning = 12;
const judged = 20;
const probesAllowed = 1;

const breaks: Reply = { deltas: ['One, ', 'two, ', 'three.'], cut: { after: 2, by: 'fin' } };

export const breakingComesLast = defineCheck({
  id: 'route.healthiest.after-broken-streams',
  title: 'a channel whose streams break midway counts as failing: calls move to the healthy one',
  requirements: ['ROUTE-001'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  run: async ({ cases, rng, clock, target, http, tenants }) => {
    const budgets = breakerBudgetsOf(tenants, routesOf(target, 'pair'));
    for (const budget of cases.full ? budgets : [rng.pick(budgets)]) {
      const { name: bad } = at(budget.channels, 0);
      const firsts: string[] = [];
      const began = clock.now();
      for (let call = 0; call < learning + judged; call += 1) {
        cases.count();
        const label = `${bad} breaks its streams`;
        const { channels } = await routedCall(budget, { [bad]: [breaks] }, { label, stream: true });
        firsts.push(channels[0] ?? 'none');
      }
      const max = probesAllowed + Math.floor((2 * (clock.now() - began)) / coolDownsOf(target)[0]);
      const wrong = firsts.slice(learning).filter((channel) => channel === bad || channel === 'none').length;
      must(wrong <= max, {
        requirement: 'ROUTE-001',
        aspect: 'broken-streams-last',
        expected: `at most ${max} of ${judged} streams of ${budget.model} first at ${bad}, all of whose streams break`,
        actual: `${wrong}`,
        exchange: http.sent.at(-1),
      });
    }
  },
});
