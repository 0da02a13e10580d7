import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { pixelDataUri } from '../../oracle/sample-images.ts';
import { flag, part, Untestable } from '../../rules/violation.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  type RoutedCall,
  routedCall,
  routesOf,
  serverFault,
} from '../../steps/failures/routed-call.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { failedCall } from './failed-call.ts';
import { judgeFallback, judgeWhole } from './fallback.ts';

/** Allowed codes when a model's channels fail: none that blames the request, which was valid for the model. */
const failures = ['upstream_error', 'upstream_timeout', 'channel_outage', 'channel_queue_full'] as const;

export const fallbackCanDoIt = defineCheck({
  id: 'route.fallback.capability',
  title: 'a request with an image never goes to a fallback without Vision, nor is refused for it',
  requirements: ['ROUTE-003', 'CAT-015'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.fallback'],
  run: async (parts) => {
    const blind = breakerBudgetsOf([parts.tenants[0]], routesOf(parts.target, 'fallback')).filter(
      ({ lacksVision }) => lacksVision,
    );
    if (blind.length === 0) throw new Untestable('upstream.routes with fallback_lacks_vision');
    for (const budget of blind)
      for (const stream of [false, true]) await part(() => judgeRoute(parts, budget, stream));
  },
});

async function judgeRoute(parts: CheckParts, budget: BreakerBudget, stream: boolean): Promise<void> {
  const { channels: own, model, fallback } = budget;
  const twin = await failedCall(parts, budget, { stream });
  judgeFallback(budget, twin);
  const { exchange, channels } = await failedCall(parts, budget, { stream, picture: pixelDataUri });
  const elsewhere = channels.filter((channel) => own.every(({ name }) => name !== channel));
  flag(elsewhere.length === 0, {
    ...{ requirement: 'CAT-015', aspect: 'fallback-has-vision', exchange, twin: twin.exchange },
    expected: `an image for ${model} never reaches ${fallback}, which has no Vision`,
    actual: `HTTP ${exchange.response?.status} after requests at ${channels.join(', then ')}`,
  });
  if (isSuccess(exchange)) return;
  const rule = { requirement: 'ROUTE-003', aspect: 'blames-no-caller' };
  parts.judge.refused(exchange, { ...rule, codes: failures, twin: twin.exchange });
}

/** Ways to disable the channels of a model, with one call each. */
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

/** Calls until the model's own channels are no longer called, and once more. */
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
