import type { ChatModel } from '../../catalogue/chat-models.ts';
import type { Exchange } from '../../http/exchange.ts';
import { parseJsonObject } from '../../http/parse-json.ts';
import { readBody } from '../../http/read-body.ts';
import type { Face } from '../../protocols/protocol-adapter.ts';
import { checkCapability } from '../../requests/check-capability.ts';
import { checkContext } from '../../requests/check-context.ts';
import { checkMediaUrls } from '../../requests/check-media-urls.ts';
import { findModel } from '../../requests/find-model.ts';
import { availability } from '../../services/available-models.ts';
import { takeAllowance } from '../../services/chat/allowance.ts';
import { promptCounter } from '../../services/chat/dialects.ts';
import { dispatch } from '../../services/chat/dispatch.ts';
import { findRoute } from '../../services/chat/route.ts';
import type { Gateway } from '../../services/gateway.ts';
import { enter } from '../enter.ts';
import type { Endpoint } from '../serve.ts';
import { answerChat } from './answer.ts';

/** The endpoint for chat in one protocol. */
export function chatIn(face: Face): Endpoint {
  return (exchange, gateway) => chat(exchange, gateway, face);
}

/**
 * The pipeline of a chat request, whatever its protocol, one stage a line. Each stage turns values into a value
 * or throws the refusal; a stage never sees what a later one does. Adapt and route have happened in http/adapt.ts
 * and endpoints/routes.ts.
 */
async function chat(exchange: Exchange, gateway: Gateway, face: Face): Promise<void> {
  // authenticate, take a slot
  const caller = await enter(exchange, gateway);
  face.checkHead(exchange);
  // read JSON
  const body = parseJsonObject(await readBody(exchange, gateway.limits, gateway.clock));
  // find model
  const isAvailable = availability(caller, gateway);
  const isServed = (one: ChatModel): boolean => face.serves(one) && isAvailable(one);
  const model = findModel(face.modelName(exchange, body.value), gateway.catalogue, isServed);
  // parse the model's fields
  const request = face.parse(body, model, exchange);
  // capability, places of media
  checkCapability(request);
  checkMediaUrls(request, gateway.urlRules);
  // choose channel: before the context, because only an upstream can count tokens
  const route = findRoute(gateway, caller, request);
  // context
  await checkContext(request, promptCounter(gateway, route.preferred, request, exchange.gone));
  // allowance: credits and quota; holds what it may cost
  const allowance = await takeAllowance(exchange, gateway, caller, request);
  try {
    // attempt, with one retry, then the declared fallback model
    const result = await dispatch({ gateway, caller, request, route, gone: exchange.gone });
    // normalise failure, charge durably, answer
    try {
      await answerChat({ exchange, gateway, caller, request, result, allowance }, face);
    } finally {
      result.release();
    }
  } finally {
    await allowance.release();
  }
}
