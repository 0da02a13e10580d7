import type { Exchange } from '../http/exchange.ts';
import type { Gateway } from '../services/gateway.ts';
import { answerHook, enterHook } from './enter-hook.ts';
import { readUsage } from './usage-hook.ts';

/** GET /hooks/usage?request_id=: what one request is billed by, on a gateway that was started for tests. */
export async function usageHook(exchange: Exchange, gateway: Gateway): Promise<void> {
  const { reader } = enterHook(exchange, gateway.usageHook);
  await answerHook(exchange, gateway, await readUsage(reader, exchange.query));
}
