import type { Reply } from '../../../simulators/control/client.ts';
import { defineCheck } from '../../engine/check.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { codesFor } from '../../oracle/upstream-failures.ts';
import { must, Untestable } from '../../rules/violation.ts';
import {
  type RoutedCall,
  routedCall,
  routesOf,
  type Strain,
  serverFault,
  strainsOf,
} from '../../steps/failures/routed-call.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Fails once and for all: nothing else is tried. */
const junk: Reply = { status: 418, headers: { 'content-type': 'text/plain' }, body: 'short and stout' };

/** Calls of a model: enough for each of its channels to have failed. */
const callsEach = 4;

export const failedChannelIsNamed = defineCheck({
  id: 'route.channel.named',
  title: 'error.channel is null or the channel that failed, and never another one of the same model',
  requirements: ['ROUTE-015', 'ERR-006'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  run: async ({ cases, target, lanes, judge }) => {
    const models = (['pair', 'trio', 'ranked', 'fallback'] as const).flatMap((kind) =>
      routesOf(target, kind),
    );
    const strains = strainsOf(lanes, models);
    if (strains.some(({ lane, channels }) => channels.some(({ name }) => lane.channels[name] === undefined)))
      throw new Untestable('lanes.channels with a public id for each channel of upstream.routes');
    for (const strain of strains) {
      for (let place = 0; place < callsEach; place += 1) {
        cases.count();
        const stream = place % 2 === 1;
        const call = await routedCall(strain, { '*': [junk] }, { label: `${strain.model}, junk`, stream });
        judgeNamed(judge, strain, call, 418);
      }
      const call = await routedCall(strain, { '*': [serverFault] }, { label: `${strain.model}, all fail` });
      judgeNamed(judge, strain, call, 500);
    }
  },
});

function judgeNamed(judge: Judge, strain: Strain, { exchange, channels }: RoutedCall, status: number): void {
  const { channel } = judge.refused(exchange, {
    requirement: 'ROUTE-015',
    aspect: 'refused',
    codes: codesFor(status),
  });
  judgeChannel(strain, channels, channel, exchange);
}

/** The name that an error gives must be that of a channel which was asked. */
export function judgeChannel(
  { lane }: Strain,
  asked: readonly string[],
  named: string | null,
  exchange: Exchange,
): void {
  const ids = asked.flatMap((name) => lane.channels[name] ?? []);
  must(named === null || ids.length === 0 || ids.includes(named), {
    requirement: 'ROUTE-015',
    aspect: 'failed-channel',
    expected: `channel null or ${ids.join(' or ')}, which failed`,
    actual: `channel ${named}`,
    exchange,
  });
}
