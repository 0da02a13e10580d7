import type { Exchange } from '../../http/exchange.ts';
import { parseJsonObject } from '../../http/parse-json.ts';
import { readBody } from '../../http/read-body.ts';
import { parseChatRequest } from '../../requests/chat-request.ts';
import { checkCapability } from '../../requests/check-capability.ts';
import { checkContext } from '../../requests/check-context.ts';
import { findModel } from '../../requests/find-model.ts';
import { attempt } from '../../routing/attempt.ts';
import { availability, enter } from '../enter.ts';
import type { Gateway } from '../gateway.ts';
import { answerChat } from './answer.ts';
import { complete, promptCounter } from './dialects.ts';

/**
 * POST /api/v1/chat/completions: the pipeline of a request, one stage a line. Each stage turns values into a value
 * or throws the refusal; a stage never sees what a later one does. Adapt and route have happened in http/adapt.ts
 * and endpoints/routes.ts.
 */
export async function chat(exchange: Exchange, gateway: Gateway): Promise<void> {
  // authenticate, take a slot
  const caller = enter(exchange, gateway);
  // read JSON
  const body = parseJsonObject(await readBody(exchange, gateway.limits, gateway.clock));
  // find model
  const model = findModel(body.value, gateway.catalogue, availability(caller, gateway));
  // parse the model's fields
  const request = parseChatRequest(body, model);
  // capability
  checkCapability(request);
  // choose channel: before the context, because only an upstream can count tokens
  const channels = gateway.channels.serving(model.id, caller.accountId);
  // context
  await checkContext(request, promptCounter(gateway, channels[0], request, exchange.gone));
  // allowance (credits, quota) belongs here; nothing is gated yet
  // attempt, with one retry
  const result = await attempt(channels, (channel) => complete(gateway, channel, request, exchange.gone));
  // normalise failure, record usage durably, answer
  await answerChat({ exchange, gateway, caller, request, result });
}
