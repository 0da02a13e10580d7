import type { Caller } from '../../access/caller.ts';
import { type Allowance, holdAllowance } from '../../billing/hold-allowance.ts';
import { chargeFor } from '../../billing/price.ts';
import type { Pico } from '../../money/pico.ts';
import { markupOf } from '../../money/strategy.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import { maxPromptTokens, promptTexts } from '../../requests/prompt-bounds.ts';
import type { ChatService } from './chat-service.ts';

/** Admits a chat request, and holds its maximum cost. */
export function takeAllowance(
  service: ChatService,
  requestId: string,
  caller: Caller,
  request: ChatRequest,
): Promise<Allowance> {
  return holdAllowance(service, {
    requestId,
    accountId: caller.accountId,
    amount: exposureOf(request, service, caller),
    // The longest answer is rarely given: one call may cost more than what is left.
    overshoots: true,
  });
}

/**
 * The maximum cost of a request on its own model: the longest prompt and answer, and the most expensive cache
 * write.
 */
function exposureOf({ model, fields, maxTokens }: ChatRequest, service: ChatService, caller: Caller): Pico {
  const max = maxPromptTokens(fields, promptTexts(fields));
  const promptTokens = Math.ceil(Math.min(max, model.contextTokens));
  const usage = {
    promptTokens,
    completionTokens: Math.min(maxTokens ?? model.outputTokens, model.contextTokens),
    cachedTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: model.cache ? promptTokens : 0,
  };
  return chargeFor(usage, service.prices.of(model.id), markupOf(caller.pricing, model.id));
}
