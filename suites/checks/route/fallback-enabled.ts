import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { flag, part } from '../../rules/violation.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  type RoutedCall,
  routesOf,
} from '../../steps/failures/routed-call.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { failedCall } from './failed-call.ts';
import { modelsIn } from './fallback.ts';

const requirement = 'EP-012';

/** More calls than a breaker takes to open. */
const mostCalls = 8;

export const fallbackIsEnabled = defineCheck({
  id: 'route.fallback.enabled',
  title: 'a fallback model that is not enabled for the account never answers it, streamed or not',
  requirements: ['ROUTE-003', requirement],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.fallback', 'hooks.accounts'],
  run: async (parts) => {
    for (const budget of breakerBudgetsOf([parts.tenants[0]], routesOf(parts.target, 'fallback'))) {
      for (const stream of [false, true]) await part(() => judgeRoute(parts, budget, stream));
      await part(() => judgeOpened(parts, budget));
    }
  },
});

async function judgeRoute(parts: CheckParts, budget: BreakerBudget, stream: boolean): Promise<void> {
  const { accounts, judge } = parts;
  const { model, fallback } = budget;
  if (fallback === null) return;
  const both = await accounts.create({ credits: '100', models: [model, fallback] });
  const twin = await failedCall(parts, budget, { stream, key: both.key });
  if (modelsIn(twin)[0] !== fallback) {
    judge.note(`${model}: no fallback fires for a made account`);
    return;
  }
  const one = await accounts.create({ credits: '100', models: [model] });
  judgeOwn(budget, await failedCall(parts, budget, { stream, key: one.key }), twin);
}

/** The same until the breakers of the model are open, so that none of its own channels is asked. */
async function judgeOpened(parts: CheckParts, budget: BreakerBudget): Promise<void> {
  if (budget.fallback === null) return;
  const { key } = await parts.accounts.create({ credits: '100', models: [budget.model] });
  for (let calls = 0; calls < mostCalls; calls += 1) {
    const stream = calls % 2 === 1;
    const call = await failedCall(parts, budget, { stream, key, mayOpen: true });
    judgeOwn(budget, call, null);
    if (call.channels.length === 0) return;
  }
}

function judgeOwn(
  { fallback, channels: own }: BreakerBudget,
  { exchange, channels }: RoutedCall,
  twin: RoutedCall | null,
): void {
  const isOwn = (channel: string): boolean => own.some(({ name }) => name === channel);
  flag(!isSuccess(exchange) && channels.every(isOwn), {
    ...{ requirement, aspect: 'fallback-is-enabled', exchange },
    ...(twin === null ? {} : { twin: twin.exchange }),
    expected: `no answer by ${fallback}, which is not enabled for the account`,
    actual: `HTTP ${exchange.response?.status} after requests at ${channels.join(', then ') || 'no channel'}`,
  });
}
