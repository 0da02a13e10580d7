import type { Caller } from '../../access/caller.ts';
import { chargeFor } from '../../billing/price.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Pico } from '../../money/pico.ts';
import { markupOf } from '../../money/strategy.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import { maxPromptTokens, promptTexts } from '../../requests/prompt-bounds.ts';
import type { Gateway } from '../gateway.ts';
import { type Allowance, holdAllowance } from '../hold-allowance.ts';

/** Lets a chat request in, and holds what it may come to cost. */
export function takeAllowance(
  exchange: Exchange,
  gateway: Gateway,
  caller: Caller,
  request: ChatRequest,
): Promise<Allowance> {
  return holdAllowance(exchange, gateway, caller, exposureOf(request, gateway, caller));
}

/** The most that a request can cost on its own model: prompt and answer as long as they can be, and the dearest way to cache. */
function exposureOf({ model, fields, maxTokens }: ChatRequest, gateway: Gateway, caller: Caller): Pico {
  const max = maxPromptTokens(fields, promptTexts(fields));
  const promptTokens = Math.ceil(Math.min(max, model.contextTokens));
  const usage = {
    promptTokens,
    completionTokens: Math.min(maxTokens ?? model.outputTokens, model.contextTokens),
    cachedTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: model.cache ? promptTokens : 0,
  };
  return chargeFor(usage, gateway.prices.of(model.id), markupOf(caller.pricing, model.id));
}
