import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  type RoutedCall,
  routedCall,
  routesOf,
  serverFault,
} from '../../steps/failures/routed-call.ts';
import { judgeFallback, judgeWhole } from './fallback.ts';

/** Ways to make the channels of a model unusable, one call each. */
const causes: readonly { readonly title: string; readonly reply: Reply }[] = [
  { title: 'break their connections', reply: { cut: { after: 'head', by: 'rst' } } },
  { title: 'are overloaded', reply: { status: 503, body: { error: { message: 'Too much to do.' } } } },
  {
    title: 'ask for a pause',
    reply: {
      status: 429,
      headers: { 'retry-after': '5' },
      body: { error: { message: 'Too many requests.' } },
    },
  },
];

/** Enough failing calls to open any breaker. */
const maxCalls = 12;

export const fallbackServesWhileOut = defineCheck({
  id: 'route.fallback.every-cause',
  title: 'a declared fallback serves after broken connections, busy upstreams and open breakers',
  requirements: ['ROUTE-003', 'RESP-005'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.fallback'],
  run: async (parts) => {
    for (const budget of breakerBudgetsOf(parts.tenants, routesOf(parts.target, 'fallback'))) {
      for (const [place, { title, reply }] of causes.entries())
        await judgeCall(parts, budget, reply, { title, stream: place % 2 === 1 });
      await judgeOut(parts, budget);
    }
  },
});

/** Calls until the model's own channels are no longer asked, and beyond. */
async function judgeOut(parts: CheckParts, budget: BreakerBudget): Promise<void> {
  const own = new Set(budget.channels.map(({ name }) => name));
  let unasked = 0;
  for (let made = 0; made < maxCalls && unasked < 2; made += 1) {
    const title = 'fail again and again';
    const { channels } = await judgeCall(parts, budget, serverFault, { title, stream: made % 2 === 1 });
    unasked = channels.some((channel) => own.has(channel)) ? 0 : unasked + 1;
  }
}

async function judgeCall(
  { cases, judge }: CheckParts,
  budget: BreakerBudget,
  reply: Reply,
  { title, stream }: { readonly title: string; readonly stream: boolean },
): Promise<RoutedCall> {
  cases.count();
  const failing = Object.fromEntries(budget.channels.map(({ name }) => [name, [reply]]));
  const label = `${budget.model}, whose channels ${title}${stream ? ', stream' : ''}`;
  const call = await routedCall(budget, failing, { label, stream });
  judgeFallback(budget, call);
  judgeWhole(judge, call, budget.fallback ?? budget.model, stream);
  return call;
}
