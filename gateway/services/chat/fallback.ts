import type { Caller } from '../../access/caller.ts';
import type { ChatModel } from '../../catalogue/chat-models.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Gone } from '../../gone.ts';
import type { ChatRequest } from '../../requests/chat-request.ts';
import { checkCapability } from '../../requests/check-capability.ts';
import { checkContext } from '../../requests/check-context.ts';
import { availability } from '../available-models.ts';
import type { ChatService } from './chat-service.ts';
import { promptCounter } from './dialects.ts';
import { findRoute, type Route } from './route.ts';

/** The declared fallback of a model; null if there is none, or the caller may not use it. */
export function fallbackOf(service: ChatService, caller: Caller, { id }: ChatModel): ChatModel | null {
  const model = service.catalogue.get(service.fallbacks.get(id) ?? '');
  return model !== undefined && availability(caller, service)(model) ? model : null;
}

/**
 * The same request to the declared fallback model (B-39), with that model's limits. Null if none is declared, if
 * the caller may not use it, or if it cannot do what was requested.
 */
export async function fitToFallback(
  service: ChatService,
  caller: Caller,
  request: ChatRequest,
  gone: Gone,
): Promise<{ readonly request: ChatRequest; readonly route: Route } | null> {
  const model = fallbackOf(service, caller, request.model);
  if (model === null) return null;
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
