import { rawAnswer, type WholeAnswer } from '../answers/whole-answer.ts';
import type { Reply } from '../control/protocol.ts';
import type { NativeRequest } from '../providers/dialect.ts';
import { type CallOf, RequestFacts } from '../requests/request-facts.ts';
import type { Exchange } from './exchange.ts';
import { planReply, type ReplyPlan } from './plan-reply.ts';

/** Takes the reply of a request and journals it. An empty reply stands for generated content. */
export function takeReply(exchange: Exchange, native: NativeRequest, kind: CallOf): ReplyPlan {
  const request = new RequestFacts(native.head, native.channel, native.body, kind);
  const plan = planReply(exchange.tenant, request, exchange.now());
  exchange.record.answeredBy(plan.script);
  exchange.record.drew(plan.draws, plan.disturbedBy);
  return plan;
}

/** The answer of a raw reply. A status of 400 or more without a body gets the dialect's own error body. */
export function answerRaw(
  { status = 200, body }: Reply,
  ownError: (status: number) => WholeAnswer,
): WholeAnswer {
  return body === undefined && status >= 400 ? ownError(status) : rawAnswer(status, body);
}
