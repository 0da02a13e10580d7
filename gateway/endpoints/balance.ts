import type { z } from 'zod';
import type { AccountBalances, LedgerReader } from '../billing/ledger-reader.ts';
import type { Endpoint } from '../http/route.ts';
import { sendJson } from '../http/send-json.ts';
import { formatUsd } from '../money/pico.ts';
import type { balanceSchema } from '../openapi/answer-schemas.ts';
import { type Access, identify } from './enter.ts';

/** GET /api/v1/balance: what the account has left. It takes no slot, and works for an account without credits. */
export function showBalance(access: Access, ledgerReader: Pick<LedgerReader, 'balances'>): Endpoint {
  return async (exchange) => {
    const { accountId } = await identify(exchange, access);
    const balances = await ledgerReader.balances(accountId, exchange.clock.now());
    await sendJson(exchange, viewOf(balances));
  };
}

/** An account that was deleted since its key was accepted has a balance of zero. */
function viewOf(balances: AccountBalances | null): z.infer<typeof balanceSchema> {
  const monthlyTokens = balances?.monthlyTokens ?? null;
  return {
    balance: formatUsd(balances?.posted ?? 0n),
    tokens_used: Number(balances?.tokensUsed ?? 0n),
    monthly_tokens: monthlyTokens === null ? null : Number(monthlyTokens),
  };
}
