import type { Caller } from '../../access/caller.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import { checkCapability } from '../../requests/check-capability.ts';
import { checkContext } from '../../requests/check-context.ts';
import { availability } from '../available-models.ts';
import type { ChatService } from './chat-service.ts';
import { promptCounter } from './dialects.ts';
import { findRoute, type Route } from './route.ts';

/**
 * The same request to the declared fallback model (B-39), with that model's limits. Null if none is declared, if
 * the caller may not use it, or if it cannot do what was requested.
 */
export async function fitToFallback(
  service: ChatService,
  caller: Caller,
  request: ChatRequest,
  gone: AbortSignal,
): Promise<{ readonly request: ChatRequest; readonly route: Route } | null> {
  const model = service.catalogue.get(service.fallbacks.get(request.model.id) ?? '');
  if (model === undefined || !availability(caller, service)(model)) return null;
  const maxTokens = request.maxTokens === null ? null : Math.min(request.maxTokens, model.outputTokens);
  const fields = { ...request.fields, ...(maxTokens !== null && { max_tokens: maxTokens }) };
  const fitted = { ...request, model, maxTokens, fields };
  try {
    const route = findRoute(service, caller, fitted);
    checkCapability(fitted);
    await checkContext(fitted, promptCounter(service, route.preferred, fitted, gone));
    return { request: fitted, route };
  } catch (error) {
    // The other model or its channels cannot do what was requested.
    if (error instanceof GatewayError) return null;
    throw error;
  }
}
