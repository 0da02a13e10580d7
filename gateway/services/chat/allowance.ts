import type { Caller } from '../../access/caller.ts';
import { type Allowance, holdAllowance } from '../../billing/hold-allowance.ts';
import { chargeFor } from '../../billing/price.ts';
import type { ChatModel } from '../../catalogue/chat-models.ts';
import type { Pico } from '../../money/pico.ts';
import { markupOf } from '../../money/strategy.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import { likelyPromptTokens } from '../../requests/prompt-bounds.ts';
import type { ChatService } from './chat-service.ts';
import { fallbackOf } from './fallback.ts';

/** Admits a chat request, and holds its likely maximum cost (B-45). */
export function takeAllowance(
  service: ChatService,
  requestId: string,
  caller: Caller,
  request: ChatRequest,
): Promise<Allowance> | Allowance {
  const fallback = fallbackOf(service, caller, request.model);
  const models = [request.model, ...(fallback === null ? [] : [fallback])];
  const written = likelyPromptTokens(request.fields);
  const costs = models.map((model) => likelyCost(model, { ...request, written }, service, caller));
  return holdAllowance(service, {
    requestId,
    accountId: caller.accountId,
    amount: costs.reduce((most, cost) => (cost > most ? cost : most)),
    // Few answers reach their maximum length. An answer that does costs more than its hold.
    overshoots: true,
  });
}

/**
 * The likely maximum cost of a request: an answer of `max_tokens`, or of the configured length without it. A whole context
 * window would hold credit that other requests need.
 */
function likelyCost(
  model: ChatModel,
  { maxTokens, written }: Pick<ChatRequest, 'maxTokens'> & { readonly written: number },
  { prices, answerTokens }: ChatService,
  caller: Caller,
): Pico {
  const promptTokens = Math.min(written, model.contextTokens);
  const usage = {
    promptTokens,
    completionTokens: Math.min(maxTokens ?? answerTokens, model.contextTokens),
    cachedTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: model.cache ? promptTokens : 0,
  };
  return chargeFor(usage, prices.of(model.id), markupOf(caller.pricing, model.id));
}
