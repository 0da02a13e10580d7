import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { pixelDataUri } from '../../oracle/sample-images.ts';
import { type Finding, flag, part, Untestable } from '../../rules/violation.ts';
import { promptOfWords } from '../../steps/chat/leave-stream.ts';
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
  title: 'a request never goes to a fallback that cannot take its image or its length, nor is refused for it',
  requirements: ['ROUTE-003', 'CAT-015', 'LIM-016'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.fallback'],
  run: async (parts) => {
    const budgets = breakerBudgetsOf([parts.tenants[0]], routesOf(parts.target, 'fallback'));
    const blind = budgets.filter(({ lacksVision }) => lacksVision);
    const small = budgets.filter(({ smallWindow }) => smallWindow !== undefined);
    if (blind.length + small.length === 0)
      throw new Untestable('upstream.routes with fallback_lacks_vision or fallback_context_tokens');
    for (const budget of blind)
      for (const stream of [false, true]) await part(() => judgeRoute(parts, budget, stream));
    for (const budget of small) await part(() => judgeWindow(parts, budget));
  },
});

/** How much longer than the window of the fallback a prompt is: tokens of words are not declared exactly (reading B-16). */
const beyond = 1.5;

/** A prompt and max_tokens that fit the model, and not the window of its fallback. */
async function judgeWindow(parts: CheckParts, budget: BreakerBudget): Promise<void> {
  const { model, fallback, smallWindow = 0 } = budget;
  const twin = await failedCall(parts, budget, { stream: false });
  judgeFallback(budget, twin);
  const before = promptOfWords(parts.rng, Math.ceil(smallWindow * beyond));
  const call = await failedCall(parts, budget, { stream: false, before });
  const rule = { requirement: 'LIM-016', aspect: 'fallback-has-room' };
  judgeStays(parts, budget, call, {
    ...{ ...rule, twin: twin.exchange },
    expected: `a prompt beyond ${smallWindow} tokens for ${model} never reaches ${fallback}`,
  });
}

async function judgeRoute(parts: CheckParts, budget: BreakerBudget, stream: boolean): Promise<void> {
  const { model, fallback } = budget;
  const twin = await failedCall(parts, budget, { stream });
  judgeFallback(budget, twin);
  const call = await failedCall(parts, budget, { stream, picture: pixelDataUri });
  judgeStays(parts, budget, call, {
    ...{ requirement: 'CAT-015', aspect: 'fallback-has-vision', twin: twin.exchange },
    expected: `an image for ${model} never reaches ${fallback}, which has no Vision`,
  });
}

/** Judges that only the model's own channels were asked, and that a refusal does not blame the request. */
function judgeStays(
  { judge }: CheckParts,
  { channels: own }: BreakerBudget,
  { exchange, channels }: RoutedCall,
  rule: Pick<Finding, 'requirement' | 'aspect' | 'expected' | 'twin'>,
): void {
  const elsewhere = channels.filter((channel) => own.every(({ name }) => name !== channel));
  flag(elsewhere.length === 0, {
    ...{ ...rule, exchange },
    actual: `HTTP ${exchange.response?.status} after requests at ${channels.join(', then ')}`,
  });
  if (isSuccess(exchange)) return;
  judge.refused(exchange, {
    ...{ requirement: 'ROUTE-003', aspect: 'blames-no-caller', twin: rule.twin },
    codes: failures,
  });
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
