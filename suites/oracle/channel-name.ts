import { flag } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';

/** Reading B-06: the error may name only a channel that the deployment declares, if it declares any. */
export function judgeChannelName(
  error: { readonly channel: string | null },
  declared: readonly string[],
  exchange: Exchange,
): void {
  flag(error.channel === null || declared.length === 0 || declared.includes(error.channel), {
    requirement: 'ERR-006',
    aspect: 'channel-declared',
    expected: `channel null or one of ${declared.join(', ')}`,
    actual: `channel ${JSON.stringify(error.channel)}`,
    exchange,
  });
}
