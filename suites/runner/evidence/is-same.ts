import type { TracedExchange } from '../../engine/parts/exchange-trace.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Whether a traced request is this exchange. */
export function isSame(one: Pick<TracedExchange, 'url' | 'sentAt' | 'method'>, other: Exchange): boolean {
  return one.sentAt === other.sentAt && one.url === other.request.url && one.method === other.request.method;
}
