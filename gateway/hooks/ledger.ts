import type { Exchange } from '../http/exchange.ts';
import type { Gateway } from '../services/gateway.ts';
import { answerHook, enterHook } from './enter-hook.ts';
import { readLedger } from './ledger-hook.ts';

/** GET /hooks/ledger?request_id=: what was entered for one request, on a gateway that was started for tests. */
export async function ledgerHook(exchange: Exchange, gateway: Gateway): Promise<void> {
  const { reader } = enterHook(exchange, gateway.ledgerHook);
  await answerHook(exchange, gateway, await readLedger(reader, exchange.query));
}
