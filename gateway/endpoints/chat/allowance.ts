import type { Caller } from '../../access/caller.ts';
import { chargeFor } from '../../billing/price.ts';
import type { UsageRecord } from '../../billing/usage-record.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Pico } from '../../money/pico.ts';
import { markupOf } from '../../money/strategy.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import { mostTokens, promptTexts } from '../../requests/prompt-bounds.ts';
import type { Gateway } from '../gateway.ts';

/** What a request that was let in holds of its account until it ends. */
export interface Allowance {
  /** Ends the request with its usage record, durably. Rejects when the record cannot be kept. */
  settle(record: UsageRecord): Promise<void>;
  /** Gives back what is still held: nothing after `settle`, whatever became of that. */
  release(): Promise<void>;
}

/** Lets a request in whose account has credits and quota left, and holds what it may come to cost (B-45). */
export async function takeAllowance(
  { requestId }: Exchange,
  gateway: Gateway,
  caller: Caller,
  request: ChatRequest,
): Promise<Allowance> {
  const { ledger, clock } = gateway;
  const admission = await ledger.hold({
    requestId,
    accountId: caller.accountId,
    amount: exposureOf(request, gateway, caller),
    atMs: clock.now(),
  });
  if (admission !== 'held') throw new GatewayError('quota_exceeded', { message: REASONS[admission] });
  let isOver = false;
  return {
    settle: (record) => {
      isOver = true;
      return ledger.settle(record);
    },
    release: async () => {
      if (isOver) return;
      isOver = true;
      await ledger.release(requestId, clock.now());
    },
  };
}

const REASONS = {
  no_credits: 'The credits of this account are used up.',
  no_quota: 'The token quota of this account is used up for this month.',
} as const;

/** The most that a request can cost on its own model: prompt and answer as long as they can be, and the dearest way to cache. */
function exposureOf({ model, fields, maxTokens }: ChatRequest, gateway: Gateway, caller: Caller): Pico {
  const most = mostTokens(fields, promptTexts(fields));
  const promptTokens = Math.ceil(Math.min(most, model.contextTokens));
  const usage = {
    promptTokens,
    completionTokens: Math.min(maxTokens ?? model.outputTokens, model.contextTokens),
    cachedTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: model.cache ? promptTokens : 0,
  };
  return chargeFor(usage, gateway.prices.of(model.id), markupOf(caller.pricing, model.id));
}
