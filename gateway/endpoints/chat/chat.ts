import type { ChatModel } from '../../catalogue/chat-models.ts';
import type { Exchange } from '../../http/exchange.ts';
import { inTurn, parseInTurns } from '../../http/parse-json.ts';
import { readBody } from '../../http/read-body.ts';
import type { Endpoint } from '../../http/route.ts';
import type { ProtocolAdapter } from '../../protocols/protocol-adapter.ts';
import { checkCapability } from '../../requests/check-capability.ts';
import { checkContext } from '../../requests/check-context.ts';
import { checkLinks } from '../../requests/check-links.ts';
import { findModel } from '../../requests/find-model.ts';
import type { UrlRules } from '../../requests/media/https-url.ts';
import { availability } from '../../services/available-models.ts';
import { takeAllowance } from '../../services/chat/allowance.ts';
import type { ChatService } from '../../services/chat/chat-service.ts';
import { promptCounter } from '../../services/chat/dialects.ts';
import { dispatch } from '../../services/chat/dispatch.ts';
import { findRoute } from '../../services/chat/route.ts';
import { type Access, enter } from '../enter.ts';
import { answerChat } from './answer.ts';

export interface ChatDeps {
  readonly access: Access;
  readonly service: ChatService;
  /** The rules for URLs in requests. */
  readonly urlRules: UrlRules;
}

/** The chat endpoint of one protocol. */
export function chatIn(adapter: ProtocolAdapter, parts: ChatDeps): Endpoint {
  return (exchange) => chat(exchange, parts, adapter);
}

/**
 * The pipeline of a chat request in any protocol, one stage a line. Each stage turns values into a value or throws
 * the refusal. No stage depends on a later one. Adapting and routing have happened in http/adapt.ts and
 * endpoints/router.ts.
 */
async function chat(
  exchange: Exchange,
  { access, service, urlRules }: ChatDeps,
  adapter: ProtocolAdapter,
): Promise<void> {
  const { requestId, startedAtMs, gone } = exchange;
  // authenticate, take a slot
  const caller = await enter(exchange, access);
  adapter.checkHead(exchange);
  // read JSON
  const bytes = await readBody(exchange);
  const body = await parseInTurns(bytes);
  // find model
  const isAvailable = availability(caller, service);
  const isServed = (one: ChatModel): boolean => adapter.serves(one) && isAvailable(one);
  const model = findModel(adapter.modelName(exchange, body.value), service.catalogue, isServed);
  // parse the model's fields
  const request = await inTurn(body, () => adapter.parse(body, model, exchange));
  // check capability and links, choose channel: before the context check, because only an upstream can count tokens
  const route = await inTurn(body, () => {
    checkCapability(request);
    checkLinks(request, urlRules);
    return findRoute(service, caller, request);
  });
  // check context
  const counter = promptCounter(service, route.preferred, request, gone);
  await inTurn(body, () => checkContext(request, counter));
  // allowance: check credits and quota, hold the maximum cost
  const allowance = await inTurn(body, () => takeAllowance(service, requestId, caller, request));
  const call = service.abandoned.follow(gone, { userId: caller.userId, bytes: bytes.length });
  try {
    // attempt, with one retry, then the declared fallback model
    const result = await inTurn(body, () => dispatch({ service, caller, request, route, gone, call }));
    // normalise failure, charge durably, answer
    try {
      const job = { requestId, startedAtMs, service, caller, request, result, allowance };
      await answerChat(exchange, adapter, job);
    } finally {
      result.release();
    }
  } finally {
    call.over();
    await allowance.release();
  }
}
