import type { Reply } from '../../../simulators/control/client.ts';
import { defineCheck } from '../../engine/check.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { must, Untestable } from '../../rules/violation.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  type RoutedCall,
  routedCall,
  routesOf,
  serverFault,
} from '../../steps/failures/routed-call.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** A failure that is not retried. */
const junk: Reply = { status: 418, headers: { 'content-type': 'text/plain' }, body: 'short and stout' };

/** Enough calls of a model for each of its channels to have failed. */
const callsEach = 4;

export const failedChannelIsNamed = defineCheck({
  id: 'route.channel.named',
  title: 'error.channel is null or the channel that failed, and never another one of the same model',
  requirements: ['ROUTE-015', 'ERR-006'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  run: async ({ cases, target, tenants, judge }) => {
    const models = (['pair', 'trio', 'ranked', 'fallback'] as const).flatMap((kind) =>
      routesOf(target, kind),
    );
    const budgets = breakerBudgetsOf(tenants, models);
    if (
      budgets.some(({ tenant, channels }) => channels.some(({ name }) => tenant.channels[name] === undefined))
    )
      throw new Untestable('lanes.channels with a public id for each channel of upstream.routes');
    for (const budget of budgets) {
      for (let place = 0; place < callsEach; place += 1) {
        cases.count();
        const stream = place % 2 === 1;
        const call = await routedCall(budget, { '*': [junk] }, { label: `${budget.model}, junk`, stream });
        judgeNamed(judge, budget, call, 418);
      }
      const call = await routedCall(budget, { '*': [serverFault] }, { label: `${budget.model}, all fail` });
      judgeNamed(judge, budget, call, 500);
    }
  },
});

function judgeNamed(
  judge: Judge,
  budget: BreakerBudget,
  { exchange, channels }: RoutedCall,
  status: number,
): void {
  const { channel } = judge.refused(exchange, {
    requirement: 'ROUTE-015',
    aspect: 'refused',
    codes: codesFor(status),
  });
  judgeChannel(budget, channels, channel, exchange);
}

/** An error may name only a channel that was asked. */
export function judgeChannel(
  { tenant }: BreakerBudget,
  asked: readonly string[],
  named: string | null,
  exchange: Exchange,
): void {
  const ids = asked.flatMap((name) => tenant.channels[name] ?? []);
  must(named === null || ids.length === 0 || ids.includes(named), {
    requirement: 'ROUTE-015',
    aspect: 'failed-channel',
    expected: `channel null or one that failed: ${ids.join(' or ')}`,
    actual: `channel ${named}`,
    exchange,
  });
}
