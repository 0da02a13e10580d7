import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { native } from '../../generators/native-answer.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import type { Dialect } from '../../profile/dialects.ts';
import { must, part, Untestable } from '../../rules/violation.ts';
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

/** Enough calls of a model to make each of its channels fail. */
const callsEach = 4;

export const failedChannelIsNamed = defineCheck({
  id: 'route.channel.named',
  title: 'error.channel is null or the channel that failed, and never another one of the same model',
  requirements: ['ROUTE-015', 'ERR-006'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  run: async (parts) => {
    const { cases, target, tenants, judge } = parts;
    const models = (['pair', 'trio', 'ranked', 'fallback'] as const).flatMap((kind) =>
      routesOf(target, kind),
    );
    const budgets = breakerBudgetsOf(tenants, models);
    if (
      budgets.some(({ tenant, channels }) => channels.some(({ name }) => tenant.channels[name] === undefined))
    )
      throw new Untestable('tenants.channels with a public id for each channel of upstream.routes');
    for (const budget of budgets) {
      for (let place = 0; place < callsEach; place += 1) {
        cases.count();
        const stream = place % 2 === 1;
        const call = await routedCall(budget, { '*': [junk] }, { label: `${budget.model}, junk`, stream });
        judgeNamed(judge, budget, call, 418);
      }
      const call = await routedCall(budget, { '*': [serverFault] }, { label: `${budget.model}, all fail` });
      judgeNamed(judge, budget, call, 500);
      for (const stream of [false, true]) await part(() => judgeSecond(parts, budget, stream));
    }
  },
});

/** Complaints about the request, which no failure of the first channel explains. */
const complaints: readonly (readonly [ErrorCode, (dialect: Dialect, stream: boolean) => Reply])[] = [
  ['content_filter', (dialect, stream) => native(dialect).blocked(stream)],
  ['context_too_long', (dialect) => native(dialect).tooLong],
];

/** Judges two channels that fail differently: the error names the channel whose failure its code reports. */
async function judgeSecond(
  { cases, judge, rng }: CheckParts,
  budget: BreakerBudget,
  stream: boolean,
): Promise<void> {
  const [dialect, ...others] = new Set(budget.channels.map((channel) => channel.dialect));
  // The second channel is not known in advance, so its dialect would be unknown too.
  if (dialect === undefined || others.length > 0) return;
  cases.count();
  const [complaint, reply] = rng.pick(complaints);
  const label = `${budget.model}, first a failure, then ${complaint}`;
  const replies = { '*': [serverFault, reply(dialect, stream)] };
  const { exchange, channels } = await routedCall(budget, replies, { label, stream });
  const rule = { requirement: 'ROUTE-015', exchange };
  const codes = [...codesFor(500), complaint];
  const { code, channel } = judge.refused(exchange, { ...rule, aspect: 'refused', codes });
  judgeChannel(budget, channels, channel, exchange);
  const blamed = budget.tenant.channels[channels.at(-1) ?? ''];
  must(code !== complaint || channel === null || blamed === undefined || channel === blamed, {
    ...rule,
    aspect: 'channel-at-fault',
    expected: `channel null or ${blamed}, which answered what became ${complaint}`,
    actual: `channel ${channel}`,
  });
}

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

/** Judges that an error names only a channel that was called. */
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
