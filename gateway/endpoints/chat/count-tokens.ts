import { GatewayError } from '../../errors/gateway-error.ts';
import { type JsonObject, parseInTurns } from '../../http/parse-json.ts';
import { readBody } from '../../http/read-body.ts';
import type { Endpoint } from '../../http/route.ts';
import { sendJson } from '../../http/send-json.ts';
import { messagesAdapter } from '../../protocols/messages/adapter.ts';
import { checkCapability } from '../../requests/check-capability.ts';
import { checkLinks } from '../../requests/check-links.ts';
import { findModel } from '../../requests/find-model.ts';
import { availability } from '../../services/available-models.ts';
import { counterOn } from '../../services/chat/dialects.ts';
import { findRoute } from '../../services/chat/route.ts';
import { enter } from '../enter.ts';
import type { ChatDeps } from './chat.ts';

/**
 * POST /compat-a/v1/messages/count_tokens: the length of a prompt, as its upstream counts it; free. An extension, which
 * `extensions` of the configuration switches on.
 */
export function countTokens({ access, service, urlRules }: ChatDeps): Endpoint {
  return async (exchange) => {
    const caller = await enter(exchange, access);
    messagesAdapter.checkHead(exchange);
    const body = await parseInTurns(await readBody(exchange));
    const isAvailable = availability(caller, service);
    const model = findModel(
      messagesAdapter.modelName(exchange, body.value),
      service.catalogue,
      (one) => messagesAdapter.serves(one) && isAvailable(one),
    );
    const value = asRequest(body.value);
    const exact = body.exact === body.value ? value : asRequest(body.exact);
    const request = messagesAdapter.parse({ ...body, value, exact }, model, exchange);
    checkCapability(request);
    checkLinks(request, urlRules);
    const { preferred } = findRoute(service, caller, request);
    if (preferred === null) throw new GatewayError('channel_outage');
    const count = counterOn(service, preferred, request, exchange.gone);
    if (count === null) {
      const message = 'The upstream of this model does not count prompts.';
      throw new GatewayError('unsupported_capability', { param: 'model', message });
    }
    const tokens = await count();
    if (tokens === null) throw new GatewayError('upstream_error');
    await sendJson(exchange, { input_tokens: tokens });
  };
}

/** Counting produces no answer, so the required maximum length of an answer is filled in. */
function asRequest(body: JsonObject): JsonObject {
  return { max_tokens: 1, ...body, stream: false };
}
